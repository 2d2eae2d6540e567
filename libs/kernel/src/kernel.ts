import type { PoolClient } from 'pg';
import type { Clock, Position, RealmId, Recorded } from './domain/index';
import type { FactDeclaration } from './facts/fact-cache';
import type { KernelOptions } from './kernel-options';
import type { Verification, VerifyOptions } from './log/verify/verify';
import type { CheckpointedReader } from './projections/running/checkpointed-reader';
import type { Projection } from './projections/definition/define';
import type { QueueFigures, QueueReport } from './queues/queue-figures';
import type { Queues } from './queues/queues';
import type { Share } from './wake-ups/notice';
import type { WakeUps } from './wake-ups/wake-ups';
import type { Actors } from './work/by';
import { checkContexts } from './contexts/define-context';
import { projectionsOf } from './contexts/projections-of';
import { DatabaseClock } from './database/database-clock';
import { Database } from './database/database';
import { IdCounters } from './database/id-counters';
import { installationOf } from './database/installation';
import { AggregateStore } from './facts/aggregate-store';
import { FactCache } from './facts/fact-cache';
import { Fence } from './facts/fence';
import { Memory } from './facts/memory';
import { ModelChanges } from './facts/model-changes';
import { Tail } from './facts/tail';
import { EventLog } from './log/event-log';
import type { Lanes } from './log/lanes/lanes';
import { openLanes } from './log/lanes/open-lanes';
import { EventRegistry } from './log/encoding/registry';
import { verifyLog } from './log/verify/verify';
import { ExactSnapshots } from './projections/inline/exact-snapshot';
import { KeepUp } from './projections/inline/keep-up';
import { LiveModels } from './projections/inline/live-models';
import { ViewTables } from './projections/definition/view-tables';
import { Announcement } from './projections/versions/announcement';
import { BackgroundRunner } from './projections/running/background-runner';
import type { BuildDeps } from './projections/rebuild/build';
import type { Lag } from './projections/checkpoints/lags';
import { followerLags } from './projections/checkpoints/lags';
import type { Outdated } from './projections/versions/projection-store';
import { ProjectionStore, outdated } from './projections/versions/projection-store';
import { Rebuild } from './projections/rebuild/rebuild';
import { DueRealms } from './outbox/due-realms';
import { ReadOnlyWork } from './past/whole/read-only-work';
import { placedIn } from './past/whole/past-schema';
import { openQueues } from './queues/open-queues';
import { ProcessQueues } from './queues/process-queues';
import { kernelContext } from './restore/events';
import { History } from './restore/history';
import { ClientSignals } from './wake-ups/client-signals';
import { HeldShares } from './wake-ups/held-shares';
import { LogGrowth } from './wake-ups/log-growth';
import { openWakeUps } from './wake-ups/open-wake-ups';
import { RegisteredActors } from './work/by';
import { UnitOfWork } from './work/unit-of-work';

/** Most memory for the facts and aggregates of all organizations. */
const MEMORY_BYTES = 256 * 1024 * 1024;
const GATHER_MS = 250;

/** Receives each commit of this process once it is durable, with its events. */
export type CommitListener = (realmId: RealmId, head: Position, events: readonly Recorded[]) => void;

/** The event store of one process. An application opens it first and closes it last. */
export class Kernel {
  /** Separates installations that share a Redis. */
  readonly prefix: string;
  readonly registry: EventRegistry;
  private readonly jobs: ProcessQueues;
  readonly store: ProjectionStore;
  readonly events: EventLog;
  readonly tail: Tail;
  readonly fence: Fence;
  readonly changes: ModelChanges;
  readonly models: LiveModels;
  readonly keepUp: KeepUp;
  private readonly snapshots: ExactSnapshots;
  readonly aggregates: AggregateStore;
  readonly lanes: Lanes;
  readonly ids: IdCounters;
  readonly due: DueRealms;
  readonly work: UnitOfWork;
  readonly wakeUps: WakeUps;
  private readonly growth: LogGrowth;
  readonly signals: ClientSignals;
  /** Resolves with the reason when a restore replaced the log: this process must then be started again. */
  readonly takenBack: Promise<string>;
  private readonly history: History;
  private readonly memory = new Memory(MEMORY_BYTES);
  private announcement: Announcement | null = null;
  private readonly actors = new RegisteredActors();
  private closing: Promise<void> | null = null;
  private readonly commitListeners: CommitListener[] = [];

  private constructor(
    readonly options: KernelOptions,
    readonly database: Database,
    readonly clock: Clock,
    /** The read models of all contexts, and the kernel's own. */
    readonly projections: readonly Projection[],
    tables: ViewTables,
    readonly installation: string,
  ) {
    const prefix = (this.prefix = `annals-${installation}`);
    const contexts = [kernelContext, ...options.contexts];
    const history = (this.history = new History(installation));
    this.takenBack = history.takenBack;
    this.wakeUps = openWakeUps({ ...options, prefix, isAlone: this.isPast });
    this.growth = new LogGrowth(this.wakeUps, this.gatherMs);
    this.registry = new EventRegistry(contexts.flatMap((context) => context.events));
    const open = () => openQueues({ ...options, prefix });
    this.jobs = new ProcessQueues(
      contexts.flatMap((context) => context.queues),
      { pool: database.pool, clock, open },
    );
    const models = (this.models = new LiveModels(database.pool, projections));
    this.logEnds();
    this.events = new EventLog(database.pool, this.registry, history, models);
    this.keepUp = new KeepUp({ database, source: this.events.skippingUnknown(), models, clock });
    this.store = new ProjectionStore(database, this.events, clock);
    this.tail = new Tail({ page: (...asked) => this.events.pageOfAny(...asked) }, options.log);
    this.changes = new ModelChanges(this.tail, projections);
    this.signals = new ClientSignals(this.wakeUps, this.tail, clock);
    this.snapshots = new ExactSnapshots(this);
    this.fence = new Fence(this.events, this.tail, history, this.keepUp);
    this.aggregates = new AggregateStore(this.events, this.tail, this.memory);
    this.ids = new IdCounters(database.pool);
    this.due = new DueRealms(database.pool, clock);
    this.lanes = this.openLanes(tables);
    database.onErrorAnswered = (error) => this.lanes.errorReported(error);
    const Work = this.isPast ? ReadOnlyWork : UnitOfWork;
    this.work = new Work(this.registry, this.aggregates, this.fence, this.lanes, this.clock, this.actors);
  }

  private logEnds(): void {
    const logged = (text: string) => (reason: string) => this.options.log.fatal({ reason }, text);
    void this.takenBack.then(logged('the log was taken back: this process has to start again'));
    void this.models.retired.then(logged('this process has been replaced and has to end'));
  }

  /** @throws Error when PostgreSQL cannot be reached, is not set up, or the contexts contradict each other */
  static async open(options: KernelOptions): Promise<Kernel> {
    checkContexts([kernelContext, ...options.contexts]);
    const migrations = options.contexts.flatMap((context) => context.migrations);
    const schema = options.past?.schema;
    const projections = placedIn(projectionsOf([kernelContext, ...options.contexts]), schema);
    const tables = new ViewTables(projections);
    const database = await Database.connect(options.databaseUrl, { ...options, migrations, tables, schema });
    try {
      const installation = await installationOf(database);
      const clock = options.clock ?? (await DatabaseClock.started(database.pool));
      return new Kernel(options, database, clock, projections, tables, installation);
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  /** Whether the log ends at a position of the past, so that nothing is ever written. */
  get isPast(): boolean {
    return this.options.past !== undefined;
  }

  /** A cache of facts that is exact after the fence. */
  facts<Value>(declaration: FactDeclaration<Value>): FactCache<Value> {
    return new FactCache(this.tail, this.memory, declaration);
  }

  /** Names of the job queues of all contexts. */
  get queueNames(): readonly string[] {
    return this.jobs.names;
  }

  /**
   * The job queues, opened at the first call.
   * @throws Error when the jobs are stored in PostgreSQL and it cannot be reached; the next call tries again
   */
  queues(): Promise<Queues> {
    return this.jobs.opened();
  }

  /** The figures of every job queue; a figure that cannot be read within 2 s is null. */
  queueFigures(): Promise<QueueFigures[]> {
    return this.jobs.figures();
  }

  /** The same, with up to `limit` failed jobs of each queue. */
  queueReports(limit: number): Promise<QueueReport[]> {
    return this.jobs.reports(limit);
  }

  /** Starts the background projections and these readers. They follow the log until the runner is stopped. */
  async follow(readers: readonly CheckpointedReader[] = []): Promise<BackgroundRunner> {
    const { database, events: source, store, clock, keepUp } = this;
    await store.ensureReaders(readers);
    const shares: HeldShares = new HeldShares(this.wakeUps, {
      log: (realmId, position) => runner.wakeLater(realmId, position),
      urgent: (realmId, position) => runner.wake(realmId, position),
    });
    const hold = (held: readonly Share[]) => shares.hold(held);
    const deps = { database, source, store, clock, keepUp, hold, log: this.options.log };
    const runner = new BackgroundRunner(deps, this.projections, readers, { gatherMs: this.gatherMs });
    runner.start();
    return runner;
  }

  /**
   * Why this process must be started again after a restore replaced the log; null when no restore did.
   * @throws Error when PostgreSQL cannot be reached
   */
  async whyTakenBack(): Promise<string | null> {
    try {
      await this.fence.look();
    } catch (error) {
      if (this.history.lost === null) throw error;
    }
    return this.history.lost;
  }

  /** How far background read models, readers and builds are behind the log. */
  lags(): Promise<Lag[]> {
    return followerLags(this.database.pool);
  }

  /** The read models that are not live in the version of this code; none while all is well. */
  async outdated(): Promise<Outdated[]> {
    return outdated(await this.store.rows(), this.projections);
  }

  /**
   * Announces this process until it is closed, so that the versions of the read models that it uses stay live.
   * @param app name of the application, for operators
   */
  async announce(app: string): Promise<void> {
    const { clock, models } = this;
    this.announcement ??= new Announcement({ pool: this.database.pool, clock, models }, app, this.projections);
    await this.announcement.start();
  }

  /** Reads of a realm that must agree with each other, and with its head. */
  snapshot<T>(realmId: RealmId, read: (client: PoolClient, head: Position) => Promise<T>): Promise<T> {
    return this.snapshots.read(realmId, read);
  }

  /** Builds read models beside the live ones, compares and switches them. */
  rebuild(options: Pick<BuildDeps, 'onProgress' | 'signal'> = {}): Rebuild {
    const [{ database, clock }, source] = [this, this.events.skippingUnknown()];
    const steadySince = () => this.announcement?.steadySince ?? null;
    return new Rebuild({ database, source, clock, steadySince, ...options }, this.projections);
  }

  /** Checks the log of a realm and its tree, and that nothing beside it knows a position beyond its end. */
  verify(realmId: RealmId, options: Omit<VerifyOptions, 'beside'> = {}): Promise<Verification> {
    const beside = this.options.contexts.flatMap(({ known }) => known ?? []);
    return verifyLog(this.events, this.database.pool, realmId, { ...options, beside });
  }

  /** Adds a listener to the commits of this process. */
  onCommitted(listener: CommitListener): void {
    this.commitListeners.push(listener);
  }

  /** Registers how an actor is read again when an append is retried; the context that owns accounts does it at its start. */
  useActors(actors: Actors): void {
    this.actors.register(actors);
  }

  /** Stores the waiting appends, then closes every connection. May be called again. */
  close(): Promise<void> {
    return (this.closing ??= this.closeAll());
  }

  private async closeAll(): Promise<void> {
    await this.lanes.close();
    this.growth.flush();
    await this.announcement?.stop();
    await this.jobs.close();
    await this.wakeUps.close();
    if (this.clock instanceof DatabaseClock) this.clock.stop();
    await this.database.close();
  }

  private get gatherMs(): number {
    return this.options.gatherMs ?? GATHER_MS;
  }

  private committed(realmId: RealmId, events: readonly Recorded[]): void {
    this.tail.committed(realmId, events);
    const last = events.at(-1);
    if (!last) return;
    this.wakeUps.publish('head', realmId, last.position);
    this.growth.note(realmId, last.position);
    for (const listener of this.commitListeners) listener(realmId, last.position, events);
  }

  private openLanes(tables: ViewTables): Lanes {
    const { options, registry, projections, models, keepUp, history } = this;
    const onCommitted = (realmId: RealmId, events: readonly Recorded[]) => this.committed(realmId, events);
    return openLanes(options, { registry, projections, tables, models, keepUp, history, onCommitted });
  }
}
