import type { Clock, Instant, Position, RealmId } from '@annals/kernel/domain';
import type { ClientSignal } from '@annals/kernel';
import type { StoredClientEvent } from '../../translation/client-event';
import type { Poll } from './poll';
import { mayAddress } from '../../domain/audience';
import { NOT_LOGGED, takesFleeting } from '../../domain/event-id';

/** How long a signal waits for a queue that is about to poll. */
const KEPT_MS = 60_000;
/** Signals of a realm that wait; beyond it the oldest go. Each has at most 7,000 bytes. */
const MAX_KEPT = 1_000;

/** A signal that waits. Turns count all signals of a process: 1, 2, 3 … */
export interface Kept extends StoredClientEvent {
  readonly turn: number;
  readonly until: Instant;
}

const NONE: readonly Kept[] = [];

/**
 * The signals that this process has heard of lately, of all realms, whether somebody polls there or not: a queue may have
 * been registered a moment ago, here or elsewhere.
 */
export class KeptSignals {
  private readonly realms = new Map<RealmId, readonly Kept[]>();
  private turns = 0;

  constructor(private readonly clock: Clock) {}

  /** That of the newest signal, of whichever realm. */
  get turn(): number {
    return this.turns;
  }

  keep(realmId: RealmId, signal: ClientSignal): void {
    const now = this.clock.now();
    const kept = (this.realms.get(realmId) ?? NONE).filter(({ until }) => until > now).slice(1 - MAX_KEPT);
    const one = { ...signal, k: NOT_LOGGED, turn: ++this.turns, until: (now + KEPT_MS) as Instant };
    const last = kept.at(-1)?.position;
    // One that was overtaken on its way counts as sent with the other, so that turns go along with the log.
    if (last !== undefined && last > one.position) one.position = last;
    this.realms.set(realmId, [...kept, one]);
  }

  /**
   * Those that may be for a poll, in order; what is not is passed over for good.
   *
   * @param reached the poll can be served up to here, and is told no signal from a later place
   */
  waitingFor({ queue, cursor, hearing }: Poll, reached: Position): readonly Kept[] {
    const kept = this.realms.get(queue.realmId) ?? NONE;
    if (!hearing || (kept.at(-1)?.turn ?? 0) <= hearing.heard) return NONE;
    const seen = Math.max(cursor.seen, reached) as Position;
    if (!takesFleeting({ id: cursor.id, seen })) return NONE;
    const now = this.clock.now();
    const past = kept.findLastIndex(({ turn, until }) => turn <= hearing.heard || until <= now);
    const due = kept.slice(past + 1).filter(({ position }) => position <= seen);
    const mine = due.filter(
      ({ at, type, audience }) => at > hearing.since && queue.wants(type) && mayAddress(audience, queue.userId),
    );
    if (mine.length === 0) hearing.heard = due.at(-1)?.turn ?? hearing.heard;
    return mine;
  }

  drop(realmId: RealmId): void {
    this.realms.delete(realmId);
  }

  /** Forgets realms of which nothing has been heard for long. */
  sweep(): void {
    const now = this.clock.now();
    for (const [realmId, kept] of this.realms) if ((kept.at(-1)?.until ?? 0) <= now) this.realms.delete(realmId);
  }
}
