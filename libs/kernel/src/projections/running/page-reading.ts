import type { RealmId, Recorded } from '../../domain/index';
import { isTransient } from '../checkpoints/failures';

export interface ReadPage {
  readonly events: readonly Recorded[];
  /** The event after them, if it cannot be decoded. */
  readonly unreadable: { readonly position: number; readonly cause: unknown } | null;
}

/** Returns at most this many events after a position; fewer only at the end of the log. */
type Read = (after: number, limit: number) => Promise<readonly Recorded[]>;

/**
 * Reads the events after a position: at most the given number, or about that many if appends must be whole.
 * @throws temporary errors
 */
export async function readPage(read: Read, after: number, limit: number, wholeAppends: boolean): Promise<ReadPage> {
  const page = await readable(read, after, limit);
  const { events, unreadable } = page;
  if (!wholeAppends || (unreadable === null && events.length < limit)) return page;
  const whole = lastBoundary(events);
  if (whole === 0 && unreadable === null) return readPage(read, after, limit * 2, wholeAppends);
  return { events: events.slice(0, whole), unreadable };
}

/** The events of a page up to a position; the whole page if that would split an append that must be whole. */
export function upTo(events: readonly Recorded[], position: number, wholeAppends: boolean): readonly Recorded[] {
  const count = events.findIndex((event) => event.position > position);
  if (count <= 0 || (wholeAppends && events[count]?.commandId === events[count - 1]?.commandId)) return events;
  return events.slice(0, count);
}

/** The index at which to halve a page, as near to its middle as whole appends allow; null if it cannot be split. */
export function middleOf(events: readonly Recorded[], wholeAppends: boolean): number | null {
  const middle = Math.floor(events.length / 2);
  const isBoundary = (at: number) => !wholeAppends || events[at]?.commandId !== events[at - 1]?.commandId;
  for (let offset = 0; offset < events.length; offset += 1) {
    for (const at of [middle - offset, middle + offset]) if (at > 0 && at < events.length && isBoundary(at)) return at;
  }
  return null;
}

/** @throws Error if an event is missing between a position and the last of these */
export function ensureWhole(realmId: RealmId, after: number, events: readonly Recorded[]): void {
  if ((events.at(-1)?.position ?? after) - after !== events.length)
    throw new Error(`the log of realm ${realmId} has a gap after ${after}`);
}

/** A page, or its events before one that cannot be decoded, for instance because an upcaster fails. */
async function readable(read: Read, after: number, limit: number): Promise<ReadPage> {
  try {
    return { events: await read(after, limit), unreadable: null };
  } catch (error) {
    if (isTransient(error)) throw error;
    let good: { count: number; events: readonly Recorded[] } = { count: 0, events: [] };
    let bad = { count: limit, cause: error };
    while (bad.count - good.count > 1) {
      const count = Math.floor((good.count + bad.count) / 2);
      try {
        good = { count, events: await read(after, count) };
      } catch (cause) {
        if (isTransient(cause)) throw cause;
        bad = { count, cause };
      }
    }
    return { events: good.events, unreadable: { position: after + bad.count, cause: bad.cause } };
  }
}

/** The start of the last append of a page, which may continue after the page; 0 if the page is one append. */
function lastBoundary(events: readonly Recorded[]): number {
  const last = events.at(-1)?.commandId;
  return events.findLastIndex((event) => event.commandId !== last) + 1;
}
