import type { Position } from '../ids';

/** A stretch of the log: from ≤ position < to. `to` is null while it lasts. */
export interface Span {
  readonly from: Position;
  readonly to: Position | null;
}

/** Whether a position is in a span. */
export const contains = ({ from, to }: Span, position: number): boolean =>
  from <= position && (to === null || position < to);

/** Whether a span has not ended. */
export const isCurrent = ({ to }: Span): boolean => to === null;

/** Whether a position is in any of these spans. */
export const covers = (spans: readonly Span[], position: number): boolean =>
  spans.some((span) => contains(span, position));

/** The positions that are in both spans. Null if there are none. */
export function intersection(one: Span, other: Span): Span | null {
  const from = Math.max(one.from, other.from) as Position;
  const to = Math.min(one.to ?? Infinity, other.to ?? Infinity) as Position;
  if (from >= to) return null;
  return { from, to: to === Infinity ? null : to };
}

/** Whether any position is in both spans. */
export const overlaps = (one: Span, other: Span): boolean => intersection(one, other) !== null;

/** Spans as they were right after the event at a position: those that ended later had not ended. */
export const spansAsOf = <One extends Span>(spans: readonly One[], position: number): readonly One[] =>
  spans.flatMap((span) => {
    if (span.from > position) return [];
    return span.to !== null && span.to > position ? { ...span, to: null } : span;
  });
