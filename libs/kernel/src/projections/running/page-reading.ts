import type { RealmId, Recorded } from '../../domain/index';
import { isTransient } from '../checkpoints/failures';

export interface ReadPage {
  readonly events: readonly Recorded[];
  /** The event behind them, when it cannot be decoded. */
  readonly unreadable: { readonly position: number; readonly cause: unknown } | null;
}

/** Gives at most so many events after a position; fewer only where the log ends. */
type Read = (after: number, limit: number) => Promise<readonly Recorded[]>;

/**
 * Reads the events after a position: as many as asked for, or about as many where appends must be whole.
 * @throws errors that may pass
 */
export async function readPage(read: Read, after: number, limit: number, wholeAppends: boolean): Promise<ReadPage> {
  const page = await readable(read, after, limit);
  const { events, unreadable } = page;
  if (!wholeAppends || (unreadable === null && events.length < limit)) return page;
  const whole = lastBoundary(events);
  if (whole === 0 && unreadable === null) return readPage(read, after, limit * 2, wholeAppends);
  return { events: events.slice(0, whole), unreadable };
}

/** The events of a page up to a position; the whole page when an append would be torn there that must not be. */
export function upTo(events: readonly Recorded[], position: number, wholeAppends: boolean): readonly Recorded[] {
  const count = events.findIndex((event) => event.position > position);
  if (count <= 0 || (wholeAppends && events[count]?.commandId === events[count - 1]?.commandId)) return events;
  return events.slice(0, count);
}

/** Where to cut a page in two, as near to its middle as appends allow; null when it cannot be cut. */
export function middleOf(events: readonly Recorded[], wholeAppends: boolean): number | null {
  const middle = Math.floor(events.length / 2);
  const isBoundary = (at: number) => !wholeAppends || events[at]?.commandId !== events[at - 1]?.commandId;
  for (let offset = 0; offset < events.length; offset += 1) {
    for (const at of [middle - offset, middle + offset]) if (at > 0 && at < events.length && isBoundary(at)) return at;
  }
  return null;
}

/** @throws Error when an event is missing between a position and the last of these */
export function ensureWhole(realmId: RealmId, after: number, events: readonly Recorded[]): void {
  if ((events.at(-1)?.position ?? after) - after !== events.length)
    throw new Error(`the log of realm ${realmId} has a gap after ${after}`);
}

/** A page, or what there is of it before an event that cannot be decoded, for instance because an upcaster fails. */
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

/** Where the last append of a page begins, which may go on behind the page; 0 when the page is all one append. */
function lastBoundary(events: readonly Recorded[]): number {
  const last = events.at(-1)?.commandId;
  return events.findLastIndex((event) => event.commandId !== last) + 1;
}
