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

/** Spans as they were right after the event at a position: those that ended later had not ended. */
export const spansAsOf = <One extends Span>(spans: readonly One[], position: number): readonly One[] =>
  spans.flatMap((span) => {
    if (span.from > position) return [];
    return span.to !== null && span.to > position ? { ...span, to: null } : span;
  });
