import type { Logger } from 'pino';
import type { Clock, RealmId } from '../domain/index';
import type { Database } from '../database/database';
import type { CheckpointedReader } from './checkpointed-reader';
import type { Projection } from './define';
import type { EventSource } from './event-source';
import type { FollowedStatus } from './followed';
import { Followed } from './followed';
import { projectionConsumer, readerConsumer } from './page-follower';
import type { ProjectionStore } from './projection-store';
import { SharedPages } from './shared-pages';

export interface RunnerOptions {
  /** Events per transaction. */
  readonly pageSize?: number;
  /** How often the heads are looked at when no wake-up comes, in milliseconds. */
  readonly pollMs?: number;
  /**
   * The longest rest of a realm after a page, in milliseconds: one for each event of the page. What comes meanwhile
   * shares the next page, so under load a page does not cost more than its commits, and a lone event never waits.
   */
  readonly restMs?: number;
  /** Pages worked on at a time, each with a connection of the pool. */
  readonly concurrency?: number;
}

export interface RunnerDeps {
  readonly database: Database;
  readonly source: EventSource;
  readonly store: ProjectionStore;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Readers have one version only. */
const READER = { lifecycle: 'reader', version: 1 } as const;
const PAGE_SIZE = 2_000;
const POLL_MS = 1_000;
const CONCURRENCY = 2;

/**
 * Keeps background projections and readers behind the log: a page at a time, realms and consumers taking turns. Any
 * number of processes may run one; what one applies the others do not.
 */
export class BackgroundRunner {
  private readonly followed: readonly Followed[];
  private readonly pageSize: number;
  private readonly heads = new Map<RealmId, number>();
  private readonly turns: { readonly followed: Followed; readonly realmId: RealmId }[] = [];
  private working = 0;
  private resting = 0;
  private stopped = false;
  /** PostgreSQL did not answer the last look. */
  private isAway = false;
  private timer: NodeJS.Timeout | null = null;
  private polling: Promise<void> = Promise.resolve();
  private whenSettled: (() => void)[] = [];

  constructor(
    private readonly deps: RunnerDeps,
    projections: readonly Projection[],
    readers: readonly CheckpointedReader[] = [],
    private readonly options: RunnerOptions = {},
  ) {
    const shared = { ...deps, source: new SharedPages(deps.source) };
    const pageSize = (this.pageSize = options.pageSize ?? PAGE_SIZE);
    this.followed = [
      ...projections
        .filter(({ lifecycle }) => lifecycle === 'background')
        .map((projection) => new Followed(shared, projectionConsumer(projection), projection, pageSize)),
      ...readers.map((reader) => new Followed(shared, readerConsumer(reader), READER, pageSize)),
    ];
  }

  /** Begins to look at the heads by itself. */
  start(): void {
    const look = () => {
      this.polling = this.poll()
        .catch((error: unknown) => this.deps.log.error({ err: error }, 'background projections cannot look at the log'))
        .finally(() => {
          if (!this.stopped) this.timer = setTimeout(look, this.options.pollMs ?? POLL_MS);
        });
    };
    look();
  }

  /** Says that a realm's log has grown. Cheap; whoever knows may call it at any time. */
  wake(realmId: RealmId, head: number): void {
    if ((this.heads.get(realmId) ?? 0) < head) this.heads.set(realmId, head);
    for (const followed of this.followed) this.queue(followed, realmId);
    this.work();
  }

  /** One look at what is live, what is parked and how far the log is; what is behind gets a turn. */
  async poll(): Promise<void> {
    try {
      await this.look();
    } catch (error) {
      this.isAway = true;
      throw error;
    }
    if (this.isAway) for (const followed of this.followed) followed.tryAgain();
    this.isAway = false;
    for (const followed of this.followed) for (const realmId of this.heads.keys()) this.queue(followed, realmId);
    this.work();
  }

  private async look(): Promise<void> {
    const rows = await this.deps.store.rows();
    const parked = await this.deps.store.parked();
    for (const followed of this.followed) await followed.refresh(rows, parked);
    for (const [realmId, head] of await this.deps.source.heads()) this.heads.set(realmId, head);
  }

  /** Resolves when nothing is queued or worked on: everything is up to the heads known, or waits for something. */
  settled(): Promise<void> {
    if (this.isSettled) return Promise.resolve();
    return new Promise((resolve) => this.whenSettled.push(resolve));
  }

  private get isSettled(): boolean {
    return this.working === 0 && this.resting === 0 && this.turns.length === 0;
  }

  /** Lets a parked realm try its event again. False when it is not parked. */
  async resume(name: string, realmId: RealmId): Promise<boolean> {
    const resumed = await this.deps.store.resume(name, realmId);
    await this.poll();
    return resumed;
  }

  /** For health and metrics. */
  status(): FollowedStatus[] {
    return this.followed.map((followed) => followed.status(this.heads));
  }

  /** Finishes the pages at work and takes no more. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.turns.length = 0;
    await this.polling;
    if (this.timer !== null) clearTimeout(this.timer);
    await this.settled();
  }

  private queue(followed: Followed, realmId: RealmId): void {
    if (this.stopped || !followed.wantsTurn(realmId, this.heads.get(realmId) ?? 0)) return;
    followed.turns.add(realmId);
    this.turns.push({ followed, realmId });
  }

  private work(): void {
    while (this.working < (this.options.concurrency ?? CONCURRENCY)) {
      const turn = this.turns.shift();
      if (turn === undefined) break;
      this.working += 1;
      void this.takeTurn(turn.followed, turn.realmId);
    }
    if (!this.isSettled) return;
    for (const resolve of this.whenSettled.splice(0)) resolve();
  }

  /** Never rejects: a turn that fails is noted with its follower, and comes again later. */
  private async takeTurn(followed: Followed, realmId: RealmId): Promise<void> {
    const head = this.heads.get(realmId) ?? 0;
    const before = followed.behind(realmId, head);
    try {
      await followed.step(realmId);
    } catch (error) {
      this.deps.log.warn({ err: error, projection: followed.consumer.name, realm: realmId }, 'will be tried again');
    }
    this.working -= 1;
    const taken = before - followed.behind(realmId, head);
    const rest = Math.min(taken, this.options.restMs ?? 0);
    const isFarBehind = followed.behind(realmId, this.heads.get(realmId) ?? 0) > this.pageSize;
    if (rest > 0 && !isFarBehind) this.rest(followed, realmId, rest);
    else this.next(followed, realmId);
  }

  /** Until it is over the realm counts as having its turn, so nothing queues it again. */
  private rest(followed: Followed, realmId: RealmId, ms: number): void {
    this.resting += 1;
    setTimeout(() => {
      this.resting -= 1;
      this.next(followed, realmId);
    }, ms);
    this.work();
  }

  private next(followed: Followed, realmId: RealmId): void {
    followed.turns.delete(realmId);
    this.queue(followed, realmId);
    this.work();
  }
}
