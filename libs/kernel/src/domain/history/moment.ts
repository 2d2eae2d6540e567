import type { Instant, Position } from '../ids';
import { rejection } from '../rejection';

/**
 * A moment of the past as a request names it (contract/audit.md, head of the page): a position of the log, or a time,
 * which means the last position that is not later.
 */
export type Moment = { readonly position: Position } | { readonly time: Instant };

/** Position and time of an event. Facts at it hold right after the event. */
export interface LogPoint {
  readonly position: Position;
  readonly at: Instant;
}

/** The refusal of a text that is no moment, and of a moment that has not come yet. */
export const badMoment = rejection<{ moment: string }>(
  'BAD_MOMENT',
  ({ moment }) => `'${moment}' is not a moment that the log has reached`,
);

/** UNIX seconds have at least nine digits, so that a shorter number is a position. */
const SECONDS = /^\d{9,12}(\.\d{1,6})?$/;
const POSITION = /^(?:\d{1,8}|p\d{1,16})$/;
const TIME = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})$/;

/**
 * The moment that a text names: `1234`, `p1234`, UNIX seconds with at least 9 digits, or an RFC 3339 time. The text may
 * be in JSON quotes.
 *
 * @throws Rejected BAD_MOMENT for any other text
 */
export function parseMoment(text: string): Moment {
  const bare = /^"(.*)"$/.exec(text)?.[1] ?? text;
  if (POSITION.test(bare)) {
    const position = Number(bare.replace('p', ''));
    if (Number.isSafeInteger(position)) return { position: position as Position };
  }
  if (SECONDS.test(bare)) return { time: Math.floor(Number(bare) * 1000) as Instant };
  if (TIME.test(bare) && isInCalendar(bare.slice(0, 'yyyy-mm-dd'.length))) {
    const time = Date.parse(bare.replace(' ', 'T').toUpperCase());
    if (!Number.isNaN(time)) return { time: time as Instant };
  }
  throw badMoment({ moment: text.slice(0, 100) });
}

/** Whether there is such a day, as `yyyy-mm-dd`: `Date.parse` takes February 31 for March 3. */
export function isInCalendar(date: string): boolean {
  const [year = NaN, month = NaN, day = NaN] = date.split('-').map(Number);
  return month >= 1 && month <= 12 && day >= 1 && Date.UTC(year, month - 1, day) < Date.UTC(year, month, 1);
}
