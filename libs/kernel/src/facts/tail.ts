import type { Logger } from 'pino';
import type { Position, RealmId, Recorded } from '../domain/index';
import { Erased } from '../erasure/events';
import { isUnknownVersion } from '../log/encoding/registry';
import type { EventSource } from '../projections/running/event-source';

/** Receives every event of a realm once, in order; `null` means that events were skipped, so no cached fact is exact. */
export type TailListener = (realmId: RealmId, events: readonly Recorded[] | null) => void;

const PAGE = 2_000;
/** A process that is further behind than this drops its caches instead of reading all events. */
const MAX_BEHIND = 20_000;

/**
 * Follows the log inside one process, for its caches. It moves on request (`reach`) or when this process itself has
 * written. It never polls.
 */
export class Tail {
  private readonly positions = new Map<RealmId, Position>();
  private readonly catchingUp = new Map<RealmId, Promise<void>>();
  private readonly listeners: TailListener[] = [];

  constructor(
    private readonly events: Pick<EventSource, 'page'>,
    private readonly log: Logger,
  ) {}

  listen(listener: TailListener): void {
    this.listeners.push(listener);
  }

  /** The position up to which listeners received each realm; realms that were never requested are missing. */
  known(realms: readonly RealmId[]): Map<RealmId, Position> {
    const known = new Map<RealmId, Position>();
    for (const realmId of realms) {
      const position = this.positions.get(realmId);
      if (position !== undefined) known.set(realmId, position);
    }
    return known;
  }

  /** The same of one realm. */
  positionOf(realmId: RealmId): Position | undefined {
    return this.positions.get(realmId);
  }

  /** The same of all requested realms. */
  knownAll(): ReadonlyMap<RealmId, Position> {
    return new Map(this.positions);
  }

  /** Passes on a commit of this process. No read is needed if no other process wrote in between. */
  committed(realmId: RealmId, events: readonly Recorded[]): void {
    const first = events[0];
    const known = this.positions.get(realmId);
    if (!first || known === undefined || this.catchingUp.has(realmId)) return;
    if (first.position === known + 1) this.receive(realmId, events);
  }

  /** The organization was deleted: nothing that is cached of it stays in memory. */
  forget(realmId: RealmId): void {
    if (!this.positions.delete(realmId)) return;
    this.notify(realmId, null);
  }

  /** Resolves when the listeners have received everything up to the position. */
  async reach(realmId: RealmId, position: Position): Promise<void> {
    if (!this.positions.has(realmId)) {
      // Facts that were cached before the first fence may be of any age.
      this.notify(realmId, null);
      this.positions.set(realmId, position);
      return;
    }
    while ((this.positions.get(realmId) ?? 0) < position) {
      const running = this.catchingUp.get(realmId);
      if (running) {
        await running;
        continue;
      }
      const run = this.catchUp(realmId, position).finally(() => this.catchingUp.delete(realmId));
      this.catchingUp.set(realmId, run);
      await run;
    }
  }

  private async catchUp(realmId: RealmId, target: Position): Promise<void> {
    let known = this.positions.get(realmId) ?? (0 as Position);
    if (target - known > MAX_BEHIND) {
      this.log.info({ realmId, behind: target - known }, 'the tail jumps to the head');
      this.notify(realmId, null);
      this.positions.set(realmId, target);
      return;
    }
    while (known < target) {
      const page = await this.events.page(realmId, known, PAGE);
      if (page.length === 0) throw new Error(`realm ${realmId} has no event after position ${known}`);
      this.receive(realmId, page);
      known = this.positions.get(realmId) ?? known;
    }
  }

  private receive(realmId: RealmId, events: readonly Recorded[]): void {
    // The effect of an event of a newer release is not known here: everything is read again.
    const isReadable = !events.some(({ type }) => isUnknownVersion(type));
    this.notify(realmId, isReadable ? events : null);
    // Cached facts may depend on text that was erased.
    if (isReadable && events.some(({ type }) => type === Erased.type)) this.notify(realmId, null);
    const last = events.at(-1);
    if (last) this.positions.set(realmId, last.position);
  }

  private notify(realmId: RealmId, events: readonly Recorded[] | null): void {
    for (const listener of this.listeners) listener(realmId, events);
  }
}
