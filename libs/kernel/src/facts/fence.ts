import type { Position, RealmId } from '../domain/index';
import type { EventLog } from '../log/event-log';
import type { KeepUp } from '../projections/inline/keep-up';
import type { History } from '../restore/history';
import type { Tail } from './tail';

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

interface Round {
  readonly realms: Set<RealmId>;
  readonly heads: Promise<Heads>;
}

/** Heads of some realms, and when the read of them began, in ms of the process. */
interface Heads {
  readonly at: number;
  readonly of: ReadonlyMap<RealmId, Position>;
}

/**
 * Makes the caches of a process exact for a request. It reads the realm's head, in one read for all requests that
 * arrived during the previous one. Then it brings the process's tail up to the head, and also the read models of this
 * version if another version is live beside them. So a change that any process has answered is in force here.
 */
export class Fence {
  private next: Round | null = null;
  private running: Promise<unknown> = Promise.resolve();
  /** Since when, in ms of the process, the caches of a realm may have missed an event of another process. */
  private readonly exactAt = new Map<RealmId, number>();

  constructor(
    private readonly events: EventLog,
    private readonly tail: Tail,
    private readonly history: History,
    private readonly keepUp: KeepUp,
  ) {}

  /**
   * @returns the position up to which everything cached in this process is exact
   * @throws Overloaded when the caches are of a log that a restore took back, or the read models of this code are not
   *   live
   */
  async reach(realmId: RealmId): Promise<Position> {
    const round = (this.next ??= this.open());
    round.realms.add(realmId);
    const { at, of } = await round.heads;
    const position = of.get(realmId) ?? (0 as Position);
    await this.tail.reach(realmId, position);
    this.exactAt.set(realmId, at);
    return position;
  }

  /** Whether the organization had no log when it was last reached: it is being deleted, or was. */
  isGone(realmId: RealmId): boolean {
    return this.tail.positionOf(realmId) === 0;
  }

  /**
   * The same for a request that need not know what other processes answered in the last milliseconds. Events of this
   * process are known at once.
   */
  async reachRecent(realmId: RealmId, maxAgeMs: number): Promise<void> {
    const at = this.exactAt.get(realmId);
    if (at === undefined || performance.now() - at > maxAgeMs) await this.reach(realmId);
  }

  /**
   * Reads the head only if there is no such position yet.
   *
   * @returns the position up to which everything cached in this process is exact
   */
  async reached(realmId: RealmId): Promise<Position> {
    return this.tail.known([realmId]).get(realmId) ?? this.reach(realmId);
  }

  /**
   * Checks that the logs are those of which this process has caches, for health checks.
   *
   * @throws Overloaded when a restore took them back
   */
  async look(): Promise<void> {
    const realms = [...this.tail.knownAll().keys()];
    const heads = await this.events.heads(realms);
    await this.forgetDeleted(realms, heads);
    this.history.ensureReached(this.tail.known([...heads.keys(), ...realms]), heads);
  }

  /** A read that has started may miss a commit that was answered since, so a new caller waits for the next one. */
  private open(): Round {
    const realms = new Set<RealmId>();
    // Everything that arrives in this turn of the event loop shares the read.
    const heads = this.running.then(nextTurn).then(() => {
      this.next = null;
      const at = performance.now();
      const read = this.read([...realms]).then((of) => ({ at, of }));
      this.running = read.catch(() => undefined);
      return read;
    });
    return { realms, heads };
  }

  /** A log without a head was deleted, or taken back by a restore. @returns those that were deleted */
  private async forgetDeleted(
    realms: readonly RealmId[],
    heads: ReadonlyMap<RealmId, Position>,
  ): Promise<readonly RealmId[]> {
    const missing = realms.filter((realmId) => !heads.has(realmId));
    if (missing.length === 0) return [];
    const deleted = await this.events.deletedAmong(missing);
    for (const realmId of deleted) {
      this.tail.forget(realmId);
      this.exactAt.delete(realmId);
    }
    return deleted;
  }

  private async read(realms: readonly RealmId[]): Promise<ReadonlyMap<RealmId, Position>> {
    const known = this.tail.known(realms);
    const heads = await this.events.heads(realms);
    for (const realmId of await this.forgetDeleted([...known.keys()], heads)) known.delete(realmId);
    this.history.ensureReached(known, heads);
    await this.keepUp.reach(heads);
    return heads;
  }
}
