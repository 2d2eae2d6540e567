import type { Position } from '@annals/kernel/domain';

/** Ids per position: the lower half for events of the log, the upper half for what is not in it. */
const SPAN = 65_536;
const UPPER_HALF = SPAN / 2;

/** Id of the k-th client event of a position; ids increase with the log and are below 2^53 (contract/realtime.md section 1). */
export const eventId = (position: number, k: number): number => position * SPAN + k;

/** The position whose events an id counts among. */
export const positionOf = (id: number): Position => Math.floor(id / SPAN) as Position;

/** The id that covers every event of the log up to a position, and nothing after it. */
export const lastLoggedId = (position: number): number => eventId(position, UPPER_HALF - 1);

/**
 * Numbers the next object of one position for one queue. An event that an old client gets as several objects takes
 * several ids, and what follows it at this position moves up; the next position is never reached.
 *
 * @param previous id of the object before it, of any position
 */
export const nextId = (position: number, k: number, previous: number): number =>
  Math.min(Math.max(eventId(position, k), previous + 1), eventId(position, SPAN - 1));

/** Stands in the place of `k` where something is no event of the log. */
export const NOT_LOGGED = UPPER_HALF;

/**
 * Id of a heartbeat or a signal: above the client's cursor, and in the upper half of the position up to which its queue
 * was served, so it never overtakes the next event. Used up after 32,768 of them without any event: then the last one
 * repeats.
 */
export const transientEventId = (cursor: number, seen: number): number =>
  Math.max(cursor, Math.min(Math.max(cursor + 1, eventId(seen, UPPER_HALF)), eventId(seen, SPAN - 1)));

/** Where a poll goes on. */
export interface Cursor {
  /** Events with greater ids are wanted. */
  readonly id: number;
  /** Nothing wanted is at this position or before it. */
  readonly seen: Position;
}

/**
 * What `last_event_id` means (contract/realtime.md section 3): before the queue was registered counts as its
 * registration; an id inside a position still wants the rest of that position.
 *
 * @param registered position of the snapshot that the queue began with
 */
export function cursorOf(lastEventId: number, registered: Position): Cursor {
  if (lastEventId <= lastLoggedId(registered)) return { id: lastLoggedId(registered), seen: registered };
  const position = positionOf(lastEventId);
  const complete = lastEventId >= lastLoggedId(position);
  return { id: lastEventId, seen: complete ? position : ((position - 1) as Position) };
}

/**
 * Uses what an earlier poll found out: that nothing after `known.id` up to `known.seen` is for this queue. So a queue
 * that gets little does not look through the same events again and again.
 */
export const further = (cursor: Cursor, known: Cursor): Cursor =>
  cursor.id >= known.id && known.seen > cursor.seen ? { id: cursor.id, seen: known.seen } : cursor;

/** Whether an id above the cursor can be given: not to a client that has part of a position this process has yet to reach. */
export const acceptsTransientId = ({ id, seen }: Cursor): boolean => positionOf(id) <= seen;
