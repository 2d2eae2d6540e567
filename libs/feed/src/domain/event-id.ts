import type { Position } from '@annals/kernel/domain';

/** Ids per position: the lower half is for events of the log, the upper half for what is not in it. */
const SPAN = 65_536;
const UPPER_HALF = SPAN / 2;

/**
 * Id of the k-th client event of a position. Ids increase with the log and are below 2^53 (contract/realtime.md section
 * 1).
 */
export const eventId = (position: number, k: number): number => position * SPAN + k;

/** The position to whose events an id belongs. */
export const positionOf = (id: number): Position => Math.floor(id / SPAN) as Position;

/** The id that covers every event of the log up to a position, and nothing after it. */
export const lastLoggedId = (position: number): number => eventId(position, UPPER_HALF - 1);

/**
 * Numbers the next object of one position for one queue. An event that an old client receives as several objects takes
 * several ids, and the ids of later objects of this position move up. The next position is never reached.
 *
 * @param previous id of the object before it, of any position
 */
export const nextId = (position: number, k: number, previous: number): number =>
  Math.min(Math.max(eventId(position, k), previous + 1), eventId(position, SPAN - 1));

/** Replaces `k` where something is not an event of the log. */
export const NOT_LOGGED = UPPER_HALF;

/**
 * Id of a heartbeat or a signal: above the client's cursor, and in the upper half of the position up to which its queue
 * was served, so it never overtakes the next event. After 32,768 of them without an event the last id repeats.
 */
export const transientEventId = (cursor: number, seen: number): number =>
  Math.max(cursor, Math.min(Math.max(cursor + 1, eventId(seen, UPPER_HALF)), eventId(seen, SPAN - 1)));

/** Where a poll continues. */
export interface Cursor {
  /** Events with greater ids are returned. */
  readonly id: number;
  /** Nothing for the queue is at this position or before it. */
  readonly seen: Position;
}

/**
 * The position in the log that `last_event_id` names (contract/realtime.md section 3). An id before the registration counts as
 * the registration. An id inside a position continues with the rest of that position.
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
 * Uses the result of an earlier poll: nothing after `known.id` up to `known.seen` is for this queue. So a queue that
 * receives little does not evaluate the same events again and again.
 */
export const further = (cursor: Cursor, known: Cursor): Cursor =>
  cursor.id >= known.id && known.seen > cursor.seen ? { id: cursor.id, seen: known.seen } : cursor;

/**
 * Whether an id above the cursor exists. It does not if the client has a part of a position that this process has not
 * reached.
 */
export const acceptsTransientId = ({ id, seen }: Cursor): boolean => positionOf(id) <= seen;
