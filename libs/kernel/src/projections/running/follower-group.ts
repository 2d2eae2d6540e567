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
  /** How far the logs go, as far as is known. */
  readonly heads: Map<RealmId, number>;
  /** Whether this process follows a realm. */
  readonly isHeld: (realmId: RealmId) => boolean;
  /** Brings the inline read models of this code, which readers ask, up to a page. */
  readonly keepUp: Pick<KeepUp, 'reach'> | undefined;
}

export interface GroupOptions {
  /** Events per transaction. */
  readonly pageSize: number;
  /**
   * How long a realm rests after a page, in ms. What comes meanwhile shares the next page, so under load a page does not
   * cost more than its commits, and a lone event never waits.
   */
  readonly restMs: number;
  /** Pages worked on at a time, each with a connection of the pool. */
  readonly concurrency: number;
  /** Checkpoints of those who had nothing to do are written when a realm has been quiet for so long, in ms. */
  readonly quietMs: () => number;
}

/**
 * Followers that take pages together: one reading, and one transaction for all that have something to do. One that fails
 * goes on by itself, and joins the others where it meets them.
 */
export class FollowerGroup {
  /** Realms that are queued, at work or resting. */
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
      /** A page of a realm was taken. */
      readonly taken: (realmId: RealmId) => void;
      readonly settled: () => void;
    },
  ) {}

  /** Nothing is queued, worked on or to be written. */
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

  /** Finishes the pages at work and takes no more. */
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

  /** Sees to it that checkpoints of those who had nothing to do are written. */
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

  /** Never rejects: what fails is noted with its follower, and comes again later. */
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

  /** @returns how many events were taken */
  private async step(realmId: RealmId): Promise<number> {
    const ready = this.ready(realmId);
    const doubtful = ready.filter((one) => one.isDoubtful(realmId));
    if (doubtful.length > 0) {
      for (const one of doubtful) await this.guarded(one, realmId, () => one.lookAgain(realmId, null));
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
    const hearing = team.filter((one) => one.hears(realmId, events));
    if (last) for (const one of team) if (!hearing.includes(one)) one.pass(last);
    if (hearing.length > 1 && (await this.applyTogether(events, hearing))) return;
    for (const one of hearing) await this.guarded(one, realmId, () => one.takeAlone(realmId, events));
  }

  /** @returns false when all was rolled back: then each has to show by itself whether it is to blame */
  private async applyTogether(events: readonly Recorded[], hearing: readonly Following[]): Promise<boolean> {
    const { database, clock } = this.deps;
    const last = events.at(-1);
    if (!last) return true;
    const parts = hearing.map((one) => ({ one, move: one.moveTo(last) }));
    try {
      const runs = parts.map(({ one, move }) => ({ move, run: one.consumer.prepare(events) }));
      const moved = await database.transaction(BEGIN_PAGE, async (client) => {
        // First, because it locks: a second follower waits here and then finds the checkpoints moved.
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
    // Those who went on meanwhile have written where they are.
    if (moves.length === 0) {
      this.isWriting = false;
      this.work();
      return;
    }
    // A turn that came meanwhile would find the checkpoint elsewhere than it knows.
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
