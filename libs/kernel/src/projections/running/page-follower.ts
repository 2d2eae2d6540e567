import type { ClientBase } from 'pg';
import type { Clock, Position, RealmId, Recorded } from '../../domain/index';
import type { Database } from '../../database/database';
import type { CheckpointedReader } from './checkpointed-reader';
import type { Generation } from '../checkpoints/checkpoints';
import { advance, park } from '../checkpoints/checkpoints';
import type { Projection } from '../definition/define';
import type { ReadEvent } from './event-source';
import { isIdleInTransaction } from '../../database/sql-states';
import { isTransient, messageOf } from '../checkpoints/failures';
import { TAKEN_OVER_MS } from './membership';
import { middleOf } from './page-reading';
import { ProjectionFailed } from '../rows/row-changes';
import { BY_INDEX_SQL, statementsFor } from '../rows/row-sql';

/** The consumer of a page of events of one realm. */
export interface Consumer {
  readonly name: string;
  /** Whether the events of one append must be in one page. */
  readonly wholeAppends: boolean;
  /** Whether an event concerns it. */
  concerns(event: Recorded): boolean;
  /** Does everything that needs no database. The result runs in the checkpoint's transaction. */
  prepare(events: readonly Recorded[]): (client: ClientBase) => Promise<void>;
  committed?(realmId: RealmId, position: Position): void;
}

export const projectionConsumer = (projection: Projection, schema?: string): Consumer => ({
  name: projection.name,
  wholeAppends: false,
  concerns: ({ type }) => projection.handlers.has(type),
  prepare(events) {
    const statements = statementsFor(projection, events, schema);
    return async (client) => {
      for (const statement of statements) await client.query(statement);
    };
  },
});

export const readerConsumer = (reader: CheckpointedReader): Consumer => ({
  name: reader.name,
  wholeAppends: true,
  concerns: (event) => reader.concerns?.(event) ?? true,
  prepare: (events) => (client) => reader.handle(events, client),
  committed: (realmId, position) => reader.committed?.(realmId, position),
});

export type Outcome =
  | { readonly kind: 'advanced'; readonly position: number; readonly last: ReadEvent | null }
  /** Another process moved or parked the checkpoint, the generation is no longer in use, or the log is another one. */
  | { readonly kind: 'overtaken'; readonly last: ReadEvent | null }
  | { readonly kind: 'parked'; readonly position: number; readonly error: string };

/**
 * The commit does not wait for the disk. Everything that a crash removes, with the checkpoint, is made again from the
 * log. Plans are kept: for a page of few events, planning a statement takes longer than running it.
 */
const beginPage = (idleMs: number): string => `BEGIN; ${BY_INDEX_SQL}; SET LOCAL synchronous_commit = off;
  SET LOCAL plan_cache_mode = force_generic_plan;
  SET LOCAL idle_in_transaction_session_timeout = ${idleMs}`;

/** A frozen process releases its locks on checkpoints when others take over. */
export const BEGIN_PAGE = beginPage(TAKEN_OVER_MS);

/** For one event or append that needs more time between its statements than a page may take. */
const BEGIN_SLOW_EVENT = beginPage(60_000);

const mayPass = (error: unknown): boolean => isTransient(error) && !isIdleInTransaction(error);

/** Applies pages with one consumer, and parks events that cannot be applied. */
export class PageFollower {
  constructor(
    private readonly deps: { readonly database: Database; readonly clock: Clock },
    readonly consumer: Consumer,
    readonly generation: Generation,
  ) {}

  /**
   * Applies events, in one transaction with their checkpoint. If that fails, it halves the page down to the event (or
   * append) that causes the error. This one is tried again, with a minute between two statements, and then parked.
   * Everything before it stays. A page that PostgreSQL ended because of a long pause between two statements is halved
   * as well.
   * @param from the checkpoint; no event between it and the given ones concerns this consumer
   * @throws temporary errors, such as a lost connection or a deadlock; the events applied by then have their checkpoint
   */
  async apply(realmId: RealmId, from: number, events: readonly Recorded[]): Promise<Outcome> {
    try {
      return await this.applyAtOnce(realmId, from, events);
    } catch (error) {
      if (mayPass(error)) throw error;
      const middle = middleOf(events, this.consumer.wholeAppends);
      if (middle === null) return this.applyOnceMore(realmId, from, events);
      const first = await this.apply(realmId, from, events.slice(0, middle));
      return first.kind === 'advanced' ? this.apply(realmId, first.position, events.slice(middle)) : first;
    }
  }

  private async applyOnceMore(realmId: RealmId, from: number, events: readonly Recorded[]): Promise<Outcome> {
    try {
      return await this.applyAtOnce(realmId, from, events, BEGIN_SLOW_EVENT);
    } catch (error) {
      if (mayPass(error)) throw error;
      const position = error instanceof ProjectionFailed ? error.position : (events[0]?.position ?? from + 1);
      return this.park(realmId, from, position, error);
    }
  }

  private async applyAtOnce(
    realmId: RealmId,
    from: number,
    events: readonly Recorded[],
    begin = BEGIN_PAGE,
  ): Promise<Outcome> {
    const last = events.at(-1) ?? null;
    const to = last?.position ?? (from as Position);
    const run = this.consumer.prepare(events);
    const { database, clock } = this.deps;
    const applied = await database.transaction(begin, async (client) => {
      // This comes first, because it locks: a second follower waits here and then finds the checkpoint moved.
      const move = { realmId, from, to, commandId: last?.commandId ?? null };
      if (!(await advance(client, this.generation, move, clock.now()))) return false;
      await run(client);
      return true;
    });
    if (!applied) return { kind: 'overtaken', last };
    this.consumer.committed?.(realmId, to);
    return { kind: 'advanced', position: to, last };
  }

  /** Stops at an event until an operator resumes it. */
  async park(realmId: RealmId, from: number, position: number, cause: unknown): Promise<Outcome> {
    const error = messageOf(cause);
    const { database, clock } = this.deps;
    const event = { ...this.generation, realmId, position: position as Position, error, parkedAt: clock.now() };
    const parked = await database.transaction('BEGIN', (client) => park(client, event, from));
    return parked ? { kind: 'parked', position, error } : { kind: 'overtaken', last: null };
  }
}
