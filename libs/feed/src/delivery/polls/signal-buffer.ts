import type { Clock, Instant, Position, RealmId } from '@annals/kernel/domain';
import type { ClientSignal } from '@annals/kernel';
import type { StoredClientEvent } from '../../translation/client-event';
import type { Poll } from './poll';
import { mayAddress } from '../../domain/audience';
import { NOT_LOGGED, acceptsTransientId } from '../../domain/event-id';

/** How long a signal waits for a queue that polls soon. */
const BUFFERED_MS = 60_000;
/** Most signals of a realm. Beyond it the oldest are dropped. A signal has at most 7,000 bytes. */
const MAX_BUFFERED = 1_000;

/** A signal with its number among all signals of the process: 1, 2, 3 … */
export interface BufferedSignal extends StoredClientEvent {
  readonly sequence: number;
  readonly until: Instant;
}

const NONE: readonly BufferedSignal[] = [];

/**
 * The signals that this process received in the last minute, of all realms, whether or not a queue polls there: a queue
 * may have been registered a moment ago, here or in another process.
 */
export class SignalBuffer {
  private readonly realms = new Map<RealmId, readonly BufferedSignal[]>();
  private newest = 0;

  constructor(private readonly clock: Clock) {}

  /** The number of the newest signal of any realm. */
  get sequence(): number {
    return this.newest;
  }

  add(realmId: RealmId, signal: ClientSignal): void {
    const now = this.clock.now();
    const buffered = (this.realms.get(realmId) ?? NONE).filter(({ until }) => until > now).slice(1 - MAX_BUFFERED);
    const one = { ...signal, k: NOT_LOGGED, sequence: ++this.newest, until: (now + BUFFERED_MS) as Instant };
    const last = buffered.at(-1)?.position;
    // A signal that another one overtook takes the position of that one: positions never decrease with the numbers.
    if (last !== undefined && last > one.position) one.position = last;
    this.realms.set(realmId, [...buffered, one]);
  }

  /**
   * The signals that may be for a poll, in order. Signals that are not for it are skipped for good.
   *
   * @param reached the poll can be served up to this position, and receives no signal of a later one
   */
  waitingFor({ queue, cursor, signalCursor }: Poll, reached: Position): readonly BufferedSignal[] {
    const buffered = this.realms.get(queue.realmId) ?? NONE;
    if (!signalCursor || (buffered.at(-1)?.sequence ?? 0) <= signalCursor.deliveredThrough) return NONE;
    const seen = Math.max(cursor.seen, reached) as Position;
    if (!acceptsTransientId({ id: cursor.id, seen })) return NONE;
    const now = this.clock.now();
    const past = buffered.findLastIndex(
      ({ sequence, until }) => sequence <= signalCursor.deliveredThrough || until <= now,
    );
    const due = buffered.slice(past + 1).filter(({ position }) => position <= seen);
    const mine = due.filter(
      ({ at, type, audience }) => at > signalCursor.since && queue.wants(type) && mayAddress(audience, queue.userId),
    );
    if (mine.length === 0) signalCursor.deliveredThrough = due.at(-1)?.sequence ?? signalCursor.deliveredThrough;
    return mine;
  }

  drop(realmId: RealmId): void {
    this.realms.delete(realmId);
  }

  /** Forgets realms whose signals have all expired. */
  sweep(): void {
    const now = this.clock.now();
    for (const [realmId, buffered] of this.realms)
      if ((buffered.at(-1)?.until ?? 0) <= now) this.realms.delete(realmId);
  }
}
