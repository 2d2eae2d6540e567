import type { Logger } from 'pino';
import type { Clock, Position, RealmId, Recorded } from '../../domain/index';
import type { Database } from '../../database/database';
import { advanceAll } from '../checkpoints/checkpoints';
import type { Followed } from './followed';
import type { Following } from './following';
import type { KeepUp } from '../inline/keep-up';
import { BEGIN_PAGE } from './page-follower';
import { ensureWhole, readPage, upTo } from './page-reading';
import type { SharedPages } from './shared-pages';

export interface GroupDeps {
  readonly database: Database;
  readonly pages: SharedPages;
  readonly clock: Clock;
  readonly log: Logger;
  /** The known heads of the logs. */
  readonly heads: Map<RealmId, number>;
  /** Whether this process follows a realm. */
  readonly isHeld: (realmId: RealmId) => boolean;
  /** Brings the inline read models of this code, which readers use, up to a page. */
  readonly keepUp: Pick<KeepUp, 'reach'> | undefined;
}

export interface GroupOptions {
  /** Events per transaction. */
  readonly pageSize: number;
  /**
   * Time in ms for which a realm rests after a page. Events of that time share the next page. So under load, a page
   * costs less than its commits, and a single event never waits.
   */
  readonly restMs: number;
  /** Maximum of pages in progress. Each has a connection of the pool. */
  readonly concurrency: number;
  /** Time in ms without events of a realm after which checkpoints of followers without work are written. */
  readonly quietMs: () => number;
}

/**
 * Followers that share pages: one read, and one transaction for all that have work. A follower that fails continues
 * alone, and joins the others when it reaches them.
 */
export class FollowerGroup {
  /** Realms that are queued, in progress or resting. */
  private readonly busy = new Set<RealmId>();
  private readonly resting = new Map<RealmId, NodeJS.Timeout>();
  private readonly turns: RealmId[] = [];
  private working = 0;
  private stopped = false;
  private writing: NodeJS.Timeout | null = null;
  private isWriting = false;

  constructor(
    private readonly deps: GroupDeps,
    readonly followed: readonly Followed[],
    private readonly options: GroupOptions,
    private readonly on: {
      /** A page of a realm was applied. */
      readonly taken: (realmId: RealmId) => void;
      readonly settled: () => void;
    },
  ) {}

  /** Nothing is queued, in progress or to be written. */
  get isSettled(): boolean {
    return this.busy.size === 0 && this.writing === null && !this.isWriting;
  }

  /** Gives a realm a turn if it needs one. Cheap. */
  queue(realmId: RealmId): void {
    if (this.stopped || this.busy.has(realmId) || !this.deps.isHeld(realmId)) return;
    if (this.ready(realmId).length === 0) return;
    this.busy.add(realmId);
    this.turns.push(realmId);
    this.work();
  }

  /** Finishes the pages in progress and takes no more. */
  stop(): void {
    this.stopped = true;
    for (const realmId of this.turns.splice(0)) this.busy.delete(realmId);
    for (const [realmId, rest] of this.resting) {
      clearTimeout(rest);
      this.busy.delete(realmId);
    }
    this.resting.clear();
    if (this.writing === null) return;
    clearTimeout(this.writing);
    this.writing = null;
    void this.write();
  }

  /** Schedules the checkpoints of followers without work. */
  writeSoon(): void {
    if (this.writing !== null || this.isWriting || this.stopped) return;
    if (!this.following().some((one) => one.unwritten((realmId) => !this.busy.has(realmId)).length > 0)) return;
    this.writing = setTimeout(() => {
      this.writing = null;
      void this.write();
    }, this.options.quietMs());
  }

  private following(): Following[] {
    return this.followed.flatMap(({ current }) => current ?? []);
  }

  private ready(realmId: RealmId): Following[] {
    const head = this.deps.heads.get(realmId) ?? 0;
    return this.following().filter((one) => one.wantsTurn(realmId, head));
  }

  private work(): void {
    while (this.working < this.options.concurrency) {
      const realmId = this.turns.shift();
      if (realmId === undefined) break;
      this.working += 1;
      void this.takeTurn(realmId);
    }
    if (this.isSettled) this.on.settled();
  }

  /** Never rejects. A failure is noted with its follower, which tries again later. */
  private async takeTurn(realmId: RealmId): Promise<void> {
    const taken = await this.step(realmId);
    this.working -= 1;
    if (taken > 0) this.on.taken(realmId);
    const { restMs, pageSize } = this.options;
    if (restMs > 0 && taken > 0 && taken < pageSize && !this.stopped) {
      this.resting.set(
        realmId,
        setTimeout(() => this.next(realmId), restMs),
      );
    } else this.next(realmId);
    this.work();
  }

  private next(realmId: RealmId): void {
    this.resting.delete(realmId);
    this.busy.delete(realmId);
    this.queue(realmId);
    if (!this.busy.has(realmId)) this.writeSoon();
    this.work();
  }

  /** @returns the number of events */
  private async step(realmId: RealmId): Promise<number> {
    const ready = this.ready(realmId);
    const doubtful = ready.filter((one) => one.isDoubtful(realmId));
    if (doubtful.length > 0) {
      // A read of the heads may find a checkpoint meanwhile.
      for (const one of doubtful)
        if (one.isDoubtful(realmId)) await this.guarded(one, realmId, () => one.lookAgain(realmId, null));
      return 0;
    }
    const from = Math.min(...ready.map((one) => one.seen(realmId)));
    const team = ready.filter((one) => one.seen(realmId) === from);
    const meeting = Math.min(...ready.map((one) => one.seen(realmId)).filter((seen) => seen > from));
    return team.length === 0 ? 0 : this.stepTogether(realmId, { from, meeting, team });
  }

  private async stepTogether(
    realmId: RealmId,
    { from, meeting, team }: { readonly from: number; readonly meeting: number; readonly team: readonly Following[] },
  ): Promise<number> {
    const wholeAppends = team.some(({ consumer }) => consumer.wholeAppends);
    try {
      const { events, unreadable } = await this.read(realmId, from, wholeAppends);
      if (unreadable !== null) {
        for (const one of team) await this.guarded(one, realmId, () => this.takeReadable(one, realmId, from));
        return events.length;
      }
      if (events.length === 0) {
        for (const one of team) await this.guarded(one, realmId, () => one.lookAtTheEnd(realmId));
        return 0;
      }
      ensureWhole(realmId, from, events);
      const page = upTo(events, meeting, wholeAppends);
      await this.apply(realmId, page, team);
      return page.length;
    } catch (error) {
      for (const one of team) this.failed(one, realmId, error);
      return 0;
    }
  }

  private async read(realmId: RealmId, from: number, wholeAppends: boolean) {
    const { pages, heads } = this.deps;
    const head = heads.get(realmId) ?? 0;
    const read = async (after: number, limit: number) => {
      const events = await pages.latest(realmId, after, limit, head);
      const last = events.at(-1)?.position ?? 0;
      if (last > (heads.get(realmId) ?? 0)) heads.set(realmId, last);
      return events;
    };
    const page = await readPage(read, from, this.options.pageSize, wholeAppends);
    const last = page.events.at(-1);
    if (last) await this.deps.keepUp?.reach(new Map([[realmId, last.position]]));
    return page;
  }

  private async takeReadable(one: Following, realmId: RealmId, from: number): Promise<void> {
    const { events, unreadable } = await this.read(realmId, from, one.consumer.wholeAppends);
    if (events.length > 0) await one.takeAlone(realmId, events);
    else if (unreadable) await one.park(realmId, unreadable);
  }

  private async apply(realmId: RealmId, events: readonly Recorded[], team: readonly Following[]): Promise<void> {
    const last = events.at(-1);
    const concerned = team.filter((one) => one.concerns(realmId, events));
    if (last) for (const one of team) if (!concerned.includes(one)) one.pass(last);
    if (concerned.length > 1 && (await this.applyTogether(events, concerned))) return;
    for (const one of concerned) await this.guarded(one, realmId, () => one.takeAlone(realmId, events));
  }

  /** @returns false after a rollback: each follower then tries alone, so that the failing one is found */
  private async applyTogether(events: readonly Recorded[], concerned: readonly Following[]): Promise<boolean> {
    const { database, clock } = this.deps;
    const last = events.at(-1);
    if (!last) return true;
    const parts = concerned.map((one) => ({ one, move: one.moveTo(last) }));
    try {
      const runs = parts.map(({ one, move }) => ({ move, run: one.consumer.prepare(events) }));
      const moved = await database.transaction(BEGIN_PAGE, async (client) => {
        // This comes first, because it locks: a second follower waits here and then finds the checkpoints moved.
        const advanced = await advanceAll(
          client,
          parts.map(({ move }) => move),
          clock.now(),
        );
        for (const { move, run } of runs) if (advanced.has(move)) await run(client);
        return advanced;
      });
      for (const { one, move } of parts) {
        if (moved.has(move)) this.took(one, move);
        else await this.guarded(one, move.realmId, () => one.lookAgain(move.realmId, last));
      }
      return true;
    } catch (error) {
      this.deps.log.debug({ err: error, realm: last.realmId }, 'a page was not taken together');
      return false;
    }
  }

  private took(one: Following, move: ReturnType<Following['moveTo']>): void {
    one.took(move);
    one.consumer.committed?.(move.realmId, move.to as Position);
  }

  private async write(): Promise<void> {
    this.isWriting = true;
    const parts = this.following().flatMap((one) =>
      one.unwritten((realmId) => !this.busy.has(realmId)).map((move) => ({ one, move })),
    );
    const moves = parts.map(({ move }) => move);
    // Followers that went on alone meanwhile have written their checkpoints.
    if (moves.length === 0) {
      this.isWriting = false;
      this.work();
      return;
    }
    // A turn that began meanwhile would find another checkpoint than it knows.
    const realms = new Set(moves.map(({ realmId }) => realmId));
    for (const realmId of realms) this.busy.add(realmId);
    try {
      const { database, clock } = this.deps;
      const moved = await database.transaction(BEGIN_PAGE, (client) => advanceAll(client, moves, clock.now()));
      for (const { one, move } of parts) if (moved.has(move)) this.took(one, move);
      for (const { one, move } of parts) if (!moved.has(move)) one.doubt(move.realmId);
    } catch (error) {
      this.deps.log.debug({ err: error }, 'checkpoints are written later');
    }
    this.isWriting = false;
    for (const realmId of realms) this.busy.delete(realmId);
    for (const realmId of realms) this.queue(realmId);
    this.work();
  }

  private async guarded(one: Following, realmId: RealmId, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.failed(one, realmId, error);
    }
  }

  private failed(one: Following, realmId: RealmId, error: unknown): void {
    one.wait(realmId, error);
    this.deps.log.warn({ err: error, projection: one.consumer.name, realm: realmId }, 'will be tried again');
  }
}
