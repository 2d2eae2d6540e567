import type { Logger } from 'pino';
import type { Clock, RealmId } from '../../domain/index';
import type { Database } from '../../database/database';
import type { CheckpointedReader } from './checkpointed-reader';
import { checkpointsBesideHeads } from '../checkpoints/checkpoints';
import type { Projection } from '../definition/define';
import type { EventSource } from './event-source';
import type { FollowedStatus } from './followed';
import { Followed } from './followed';
import { FollowerGroup } from './follower-group';
import type { KeepUp } from '../inline/keep-up';
import { BEAT_MS, FollowerMembership } from './membership';
import type { Consumer } from './page-follower';
import { projectionConsumer, readerConsumer } from './page-follower';
import type { Followable, ProjectionStore } from '../versions/projection-store';
import { SharedPages } from './shared-pages';
import type { Share } from '../../wake-ups/notice';
import { Repeated } from '../../work/repeated';

export interface RunnerOptions {
  /** Events per transaction. */
  readonly pageSize?: number;
  /** Interval in ms at which the heads are read if no wake-up arrives. */
  readonly pollMs?: number;
  /**
   * Time in ms for which events after a page of a realm are collected for its next page, if no user waits for them.
   * Absent: none, as a process that only catches up has no time for that.
   */
  readonly gatherMs?: number;
  /** Maximum of pages in progress in each group. Each has a connection of the pool. */
  readonly concurrency?: number;
}

export interface RunnerDeps {
  readonly database: Database;
  readonly source: EventSource;
  readonly store: ProjectionStore;
  readonly clock: Clock;
  readonly log: Logger;
  /** Absent if the readers use no read models. */
  readonly keepUp?: Pick<KeepUp, 'reach'>;
  /** Subscribes this runner to wake-ups of these shares of the realms. Resolves when it is subscribed. */
  readonly hold?: (shares: readonly Share[]) => Promise<void>;
}

/** Readers have one version only. */
const READER = { lifecycle: 'reader', version: 1 } as const;
const PAGE_SIZE = 2_000;
const POLL_MS = 1_000;
const CONCURRENCY = 2;
/** Followers that users wait for collect events for a shorter time. */
const URGENCY = 10;

/**
 * Keeps background projections and readers up with the log, one page at a time, with the realms in turn. Any number of
 * processes may run one. The started ones share the realms, and events that one process applies are not applied by
 * another.
 */
export class BackgroundRunner {
  private readonly followed: readonly Followed[];
  /** The followers that users wait for come first. */
  private readonly groups: readonly FollowerGroup[];
  private readonly heads = new Map<RealmId, number>();
  private readonly membership: FollowerMembership;
  private isStarted = false;
  private stopped = false;
  /** PostgreSQL did not answer the last read of the heads. */
  private isAway = false;
  private readonly beats: Repeated;
  private readonly looks: Repeated;
  private whenSettled: (() => void)[] = [];

  constructor(
    private readonly deps: RunnerDeps,
    projections: readonly Projection[],
    readers: readonly CheckpointedReader[] = [],
    private readonly options: RunnerOptions = {},
  ) {
    const pages = new SharedPages(deps.source);
    const follow = (consumer: Consumer, declared: Followable) =>
      new Followed({ ...deps, source: pages }, consumer, declared);
    const background = projections.filter(({ lifecycle }) => lifecycle === 'background');
    const [urgent, others] = [readers.filter((one) => one.isUrgent), readers.filter((one) => !one.isUrgent)];
    const { gatherMs = 0 } = options;
    const group = (followed: readonly Followed[], restMs: number) => this.groupOf(followed, pages, restMs);
    this.groups = [
      group(
        urgent.map((reader) => follow(readerConsumer(reader), READER)),
        gatherMs / URGENCY,
      ),
      group(
        [
          ...background.map((projection) => follow(projectionConsumer(projection), projection)),
          ...others.map((reader) => follow(readerConsumer(reader), READER)),
        ],
        gatherMs,
      ),
    ].filter(({ followed }) => followed.length > 0);
    this.followed = this.groups.flatMap(({ followed }) => followed);
    const follows = this.followed.map(({ label }) => label).sort();
    this.membership = new FollowerMembership(deps.database.pool, deps.clock, follows.join(' '));
    this.beats = new Repeated(BEAT_MS, () => this.complaining(() => this.beat()));
    this.looks = new Repeated(options.pollMs ?? POLL_MS, () => this.complaining(() => this.poll()));
  }

  /** Starts to read the heads regularly, and to share the realms with other processes. */
  start(): void {
    this.isStarted = true;
    void this.hold();
    this.beats.start();
    this.looks.start();
  }

  /**
   * Notes that the log of a realm grew by events that a user may wait for. It is cheap and may be called at any time.
   */
  wake(realmId: RealmId, head: number): void {
    this.noteHead(realmId, head);
    for (const group of this.groups) group.queue(realmId);
  }

  /**
   * Notes that the log grew by events that no user waits for. The followers that users wait for skip them when the
   * others have applied them.
   */
  wakeLater(realmId: RealmId, head: number): void {
    this.noteHead(realmId, head);
    this.groups.at(-1)?.queue(realmId);
  }

  /** Reads once the live read models, the parked events and the heads. Followers that are behind get a turn. */
  async poll(): Promise<void> {
    try {
      await this.look();
    } catch (error) {
      this.isAway = true;
      throw error;
    }
    if (this.isAway) for (const { current } of this.followed) current?.tryAgain();
    this.isAway = false;
    for (const group of this.groups) {
      for (const realmId of this.heads.keys()) group.queue(realmId);
      group.writeSoon();
    }
  }

  /** Resolves when nothing is queued or in progress: all followers are at the known heads, or wait for something. */
  settled(): Promise<void> {
    if (this.groups.every(({ isSettled }) => isSettled)) return Promise.resolve();
    return new Promise((resolve) => this.whenSettled.push(resolve));
  }

  /** Resumes a parked realm. @returns false if it is not parked */
  async resume(name: string, realmId: RealmId): Promise<boolean> {
    const resumed = await this.deps.store.resume(name, realmId);
    await this.poll();
    return resumed;
  }

  /** For health and metrics. */
  status(): FollowedStatus[] {
    const held = [...this.heads].filter(([realmId]) => this.isHeld(realmId));
    return this.followed.map((followed) => followed.status(held));
  }

  /** Whether this process follows a realm. */
  isHeld(realmId: RealmId): boolean {
    return !this.isStarted || this.membership.holds(realmId);
  }

  /** Finishes the pages in progress and takes no more. */
  async stop(): Promise<void> {
    this.stopped = true;
    for (const group of this.groups) group.stop();
    await this.beats.stop();
    await this.looks.stop();
    await this.settled();
    if (!this.isStarted) return;
    void this.deps.hold?.([]);
    await this.membership.leave().catch(() => undefined);
  }

  private noteHead(realmId: RealmId, head: number): void {
    if ((this.heads.get(realmId) ?? 0) < head) this.heads.set(realmId, head);
  }

  /** The organization was deleted. */
  private forget(realmId: RealmId): void {
    this.heads.delete(realmId);
    for (const { current } of this.followed) current?.release(realmId);
  }

  private groupOf(followed: readonly Followed[], pages: SharedPages, restMs: number): FollowerGroup {
    const { heads, options, deps } = this;
    const quietMs = () => (this.isStarted ? (options.gatherMs ?? 0) : 0);
    const { pageSize = PAGE_SIZE, concurrency = CONCURRENCY } = options;
    return new FollowerGroup(
      { ...deps, pages, heads, isHeld: (realmId) => this.isHeld(realmId), keepUp: deps.keepUp },
      followed,
      { pageSize, concurrency, quietMs, restMs },
      { taken: (realmId) => this.taken(followed, realmId), settled: () => this.tellSettled() },
    );
  }

  /** The other group finds in memory the events that one group has read. */
  private taken(by: readonly Followed[], realmId: RealmId): void {
    for (const group of this.groups) if (group.followed !== by) group.queue(realmId);
  }

  private tellSettled(): void {
    if (this.whenSettled.length === 0 || !this.groups.every(({ isSettled }) => isSettled)) return;
    for (const resolve of this.whenSettled.splice(0)) resolve();
  }

  /** Never rejects. */
  private async complaining(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.deps.log.error({ err: error }, 'followers cannot look at the log');
    }
  }

  /** Takes over realms that no process follows, and releases realms that another process follows now. */
  private async beat(): Promise<void> {
    if (!(await this.membership.beat())) return;
    for (const realmId of this.heads.keys())
      if (!this.isHeld(realmId)) for (const { current } of this.followed) current?.release(realmId);
    if (this.stopped) return;
    const held = this.hold();
    await this.poll();
    // Events from before the subscription are found now. That is later than with the first read only while Redis is
    // unavailable.
    void held.then(() => this.complaining(() => this.poll()));
  }

  private async hold(): Promise<void> {
    await this.deps.hold?.(this.membership.shares);
  }

  private async look(): Promise<void> {
    const { store, source, database } = this.deps;
    const known = [...this.heads.keys()];
    const asked = source.heads();
    asked.catch(() => undefined); // the caller receives the error
    const [rows, parked] = await Promise.all([store.rows(), store.parked()]);
    for (const followed of this.followed) followed.refresh(rows, parked);
    const found = await asked;
    for (const [realmId, head] of found) this.heads.set(realmId, head);
    for (const realmId of known) if (!found.has(realmId)) this.forget(realmId);
    const following = this.followed.flatMap(({ current }) => current ?? []);
    const looks = new Map(following.map((one) => [one, one.beginLook()]));
    const held = [...this.heads.keys()].filter((realmId) => this.isHeld(realmId));
    const fresh = held.filter((realmId) => following.some((one) => !one.has(realmId)));
    const generations = following.map(({ generation }) => generation);
    const places = await checkpointsBesideHeads(database.pool, generations, this.isStarted ? held : null, fresh);
    const byName = new Map(following.map((one) => [one.generation.projection, one]));
    for (const { projection, realmId, position } of places) {
      const one = byName.get(projection);
      if (one) one.found(looks.get(one) ?? 0, realmId, position);
    }
  }
}
