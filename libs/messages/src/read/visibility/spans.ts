import type { Position } from '@annals/kernel/domain';

/** A stretch of the log: from ≤ position < to. `to` is null while it lasts. */
export interface Span {
  readonly from: Position;
  readonly to: Position | null;
}

/** Whether a position lies in a span. */
export const contains = ({ from, to }: Span, position: number): boolean =>
  from <= position && (to === null || position < to);

/** Whether a position lies in any of these spans. */
export const covers = (spans: readonly Span[], position: number): boolean =>
  spans.some((span) => contains(span, position));
