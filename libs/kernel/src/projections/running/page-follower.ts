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

/** What is done with a page of events of one realm. */
export interface Consumer {
  readonly name: string;
  /** Events of one append are never torn apart. */
  readonly wholeAppends: boolean;
  /** Whether it has something to do for an event. */
  hears(event: Recorded): boolean;
  /** Does all that can be done without the database; what it returns runs in the checkpoint's transaction. */
  prepare(events: readonly Recorded[]): (client: ClientBase) => Promise<void>;
  committed?(realmId: RealmId, position: Position): void;
}

export const projectionConsumer = (projection: Projection, schema?: string): Consumer => ({
  name: projection.name,
  wholeAppends: false,
  hears: ({ type }) => projection.handlers.has(type),
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
  hears: (event) => reader.hears?.(event) ?? true,
  prepare: (events) => (client) => reader.handle(events, client),
  committed: (realmId, position) => reader.committed?.(realmId, position),
});

export type Outcome =
  | { readonly kind: 'advanced'; readonly position: number; readonly last: ReadEvent | null }
  /** Somebody else moved or parked the checkpoint, the generation is no longer in use, or the log is another one. */
  | { readonly kind: 'overtaken'; readonly last: ReadEvent | null }
  | { readonly kind: 'parked'; readonly position: number; readonly error: string };

/** The commit does not wait for the disk: what a crash takes, the checkpoint included, is made again from the log. */
const beginPage = (idleMs: number): string => `BEGIN; ${BY_INDEX_SQL}; SET LOCAL synchronous_commit = off;
  SET LOCAL idle_in_transaction_session_timeout = ${idleMs}`;

/** A process that stands still no longer keeps its checkpoints locked when others take over. */
export const BEGIN_PAGE = beginPage(TAKEN_OVER_MS);

/** For one event or append that needs more time between its statements than a page may take. */
const BEGIN_SLOW_EVENT = beginPage(60_000);

const mayPass = (error: unknown): boolean => isTransient(error) && !isIdleInTransaction(error);

/** Takes pages with one consumer, and parks what it cannot take. */
export class PageFollower {
  constructor(
    private readonly deps: { readonly database: Database; readonly clock: Clock },
    readonly consumer: Consumer,
    readonly generation: Generation,
  ) {}

  /**
   * Applies events, in one transaction with their checkpoint. When that fails, halves, down to the event (or append) that
   * causes it. This one is tried again, with a minute between two statements, and then parked; everything before it stays.
   * A page that PostgreSQL ended because it computed for too long between two statements is halved as well.
   * @param from the checkpoint; no event between it and the given ones concerns this consumer
   * @throws errors that may pass: no connection, a deadlock. What was applied by then has its checkpoint.
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
      // First, because it locks: a second follower waits here and then finds the checkpoint moved.
      const move = { realmId, from, to, commandId: last?.commandId ?? null };
      if (!(await advance(client, this.generation, move, clock.now()))) return false;
      await run(client);
      return true;
    });
    if (!applied) return { kind: 'overtaken', last };
    this.consumer.committed?.(realmId, to);
    return { kind: 'advanced', position: to, last };
  }

  /** Stops at an event, for good: until somebody resumes it. */
  async park(realmId: RealmId, from: number, position: number, cause: unknown): Promise<Outcome> {
    const error = messageOf(cause);
    const { database, clock } = this.deps;
    const event = { ...this.generation, realmId, position: position as Position, error, parkedAt: clock.now() };
    const parked = await database.transaction('BEGIN', (client) => park(client, event, from));
    return parked ? { kind: 'parked', position, error } : { kind: 'overtaken', last: null };
  }
}
