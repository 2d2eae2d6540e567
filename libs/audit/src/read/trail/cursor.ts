import type { TrailRange, TrailOrder } from '@annals/kernel';
import { reject } from '../../domain/rejections';

const CURSOR = /^([no])(\d{1,16})$/;

/** The text by which a caller asks for the next page. Null if there is none. @param rest what was not looked at */
export function trailCursorOf(rest: TrailRange | null, order: TrailOrder): string | null {
  if (rest === null) return null;
  return order === 'newest' ? `n${rest.upTo}` : `o${rest.after}`;
}

/** What is left of a span at a cursor. @throws Rejected BAD_REQUEST for a text that is no cursor of this order */
export function spanAt(span: TrailRange, cursor: string | undefined, order: TrailOrder): TrailRange {
  if (cursor === undefined) return span;
  const [, letter, digits] = CURSOR.exec(cursor) ?? [];
  const position = Number(digits);
  if (letter !== order[0] || !Number.isSafeInteger(position)) throw reject.badCursor();
  return order === 'newest'
    ? { after: span.after, upTo: Math.min(span.upTo, position) }
    : { after: Math.max(span.after, position), upTo: span.upTo };
}
