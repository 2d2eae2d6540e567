import type { Logger } from 'pino';
import type { Clock, RealmId, Recorded } from './domain/index';
import type { ContextDefinition } from './contexts/define-context';
import type { FactDeclaration } from './facts/fact-cache';
import type { LaneOptions } from './log/lane';
import type { Projection } from './projections/define';
import type { WakeUps } from './wake-ups/wake-ups';
import type { Actors } from './work/unit-of-work';
import { checkContexts } from './contexts/define-context';
import { DatabaseClock } from './database/database-clock';
import { Database } from './database/database';
import { IdCounters } from './database/id-counters';
import { AggregateStore } from './facts/aggregate-store';
import { FactCache } from './facts/fact-cache';
import { Fence } from './facts/fence';
import { Tail } from './facts/tail';
import { EventLog } from './log/event-log';
import { Lanes } from './log/lanes';
import { EventRegistry } from './log/registry';
import { openWakeUps } from './wake-ups/open-wake-ups';
import { UnitOfWork } from './work/unit-of-work';

export interface KernelOptions {
  readonly databaseUrl: string;
  /** Wake-ups and queues go through Redis when it is set, else through PostgreSQL. */
  readonly redisUrl?: string | undefined;
  readonly contexts: readonly ContextDefinition[];
  readonly log: Logger;
  /** Left out: the database's clock. */
  readonly clock?: Clock;
  /** How many connections write to the log. */
  readonly lanes?: number;
  readonly poolSize?: number;
  /** For fault tests. */
  readonly step?: LaneOptions['step'];
}

/** The event store of one process, put together: what every app of ours opens first and closes last. */
export class Kernel {
  readonly registry: EventRegistry;
  readonly projections: readonly Projection[];
  readonly events: EventLog;
  readonly tail: Tail;
  readonly fence: Fence;
  readonly aggregates: AggregateStore;
  readonly lanes: Lanes;
  readonly ids: IdCounters;
  readonly work: UnitOfWork;
  private actors: Actors | null = null;

  private constructor(
    readonly options: KernelOptions,
    readonly database: Database,
    readonly clock: Clock,
    readonly wakeUps: WakeUps,
  ) {
    const { contexts, log } = options;
    this.registry = new EventRegistry(contexts.flatMap((context) => context.events));
    this.projections = contexts.flatMap((context) => context.projections);
    this.events = new EventLog(database.pool, this.registry);
    this.tail = new Tail(this.events, log);
    this.fence = new Fence(this.events, this.tail);
    this.aggregates = new AggregateStore(this.events, this.tail);
    this.ids = new IdCounters(database.pool);
    this.lanes = new Lanes(options.lanes ?? 1, {
      connectionString: options.databaseUrl,
      registry: this.registry,
      inline: this.projections.filter((projection) => projection.lifecycle === 'inline'),
      log,
      onCommitted: (realmId, events) => this.committed(realmId, events),
      ...(options.step ? { step: options.step } : {}),
    });
    const refresh: Actors = { refresh: (actor) => this.requireActors().refresh(actor) };
    this.work = new UnitOfWork(this.registry, this.aggregates, this.fence, this.lanes, this.clock, refresh);
  }

  /** @throws Error when PostgreSQL cannot be reached or the contexts contradict each other */
  static async open(options: KernelOptions): Promise<Kernel> {
    checkContexts(options.contexts);
    const database = await Database.connect(options.databaseUrl, options);
    const clock = options.clock ?? (await startedClock(database));
    const wakeUps = openWakeUps(options);
    return new Kernel(options, database, clock, wakeUps);
  }

  /** A cache of facts that is exact behind the fence. */
  facts<Value>(declaration: FactDeclaration<Value>): FactCache<Value> {
    return new FactCache(this.tail, declaration);
  }

  /** The context that owns accounts says how an actor is read anew. */
  useActors(actors: Actors): void {
    this.actors = actors;
  }

  /** Writes what is waiting, then lets go of everything. */
  async close(): Promise<void> {
    await this.lanes.close();
    await this.wakeUps.close();
    if (this.clock instanceof DatabaseClock) this.clock.stop();
    await this.database.close();
  }

  private committed(realmId: RealmId, events: readonly Recorded[]): void {
    this.tail.committed(realmId, events);
    const last = events.at(-1);
    if (last) this.wakeUps.publish('head', realmId, last.position);
  }

  private requireActors(): Actors {
    if (!this.actors) throw new Error('nobody said how an actor is read anew');
    return this.actors;
  }
}

async function startedClock(database: Database): Promise<Clock> {
  const clock = new DatabaseClock(database.pool);
  await clock.start();
  return clock;
}
