import type { ClientBase } from 'pg';
import type { Clock, Position, RealmId, Recorded } from '../domain/index';
import type { Database } from '../database/database';
import type { CheckpointedReader } from './checkpointed-reader';
import type { Generation } from './checkpoints';
import { advance, park } from './checkpoints';
import type { Projection } from './define';
import type { EventSource, ReadEvent } from './event-source';
import { isTransient, messageOf } from './failures';
import { ProjectionFailed } from './row-changes';
import { BY_INDEX_SQL, statementsFor } from './row-sql';

/** What is done with a page of events of one realm. */
export interface Consumer {
  readonly name: string;
  /** Events of one append are never torn apart. */
  readonly wholeAppends: boolean;
  /** Does all that can be done without the database; what it returns runs in the checkpoint's transaction. */
  prepare(events: readonly Recorded[]): (client: ClientBase) => Promise<void>;
  committed?(realmId: RealmId, position: Position): void;
}

export const projectionConsumer = (projection: Projection, schema?: string): Consumer => ({
  name: projection.name,
  wholeAppends: false,
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
  prepare: (events) => (client) => reader.handle(events, client),
  committed: (realmId, position) => reader.committed?.(realmId, position),
});

export type Outcome =
  | { readonly kind: 'advanced'; readonly position: number; readonly last: ReadEvent | null }
  /** Somebody else moved or parked the checkpoint, the generation is no longer in use, or the log is another one. */
  | { readonly kind: 'overtaken'; readonly last: ReadEvent | null }
  | { readonly kind: 'parked'; readonly position: number; readonly error: string };

/** Takes one consumer through the logs of realms, a page at a time, and parks what cannot be taken. */
export class PageFollower {
  constructor(
    private readonly deps: { readonly database: Database; readonly source: EventSource; readonly clock: Clock },
    readonly consumer: Consumer,
    readonly generation: Generation,
    private readonly pageSize: number,
  ) {}

  /**
   * Reads and applies the page after a position.
   * @throws errors that may pass: no connection, a deadlock. What has been applied by then has its checkpoint.
   */
  async step(realmId: RealmId, from: number): Promise<Outcome> {
    const { events, unreadable } = await this.read(realmId, from, this.pageSize);
    if (events.length > 0) return this.apply(realmId, from, events);
    return unreadable === null
      ? { kind: 'advanced', position: from, last: null }
      : this.park(realmId, from, unreadable.position, unreadable.cause);
  }

  /**
   * Applies events that follow a position, in one transaction with their checkpoint. When that fails, halves, down to
   * the event (or append) that is to blame; this one is tried twice and then parked, and everything before it is kept.
   */
  async apply(realmId: RealmId, from: number, events: readonly Recorded[]): Promise<Outcome> {
    try {
      return await this.applyAtOnce(realmId, from, events);
    } catch (error) {
      if (isTransient(error)) throw error;
      const middle = middleOf(events, this.consumer.wholeAppends);
      if (middle === null) return this.applyOnceMore(realmId, from, events);
      const first = await this.apply(realmId, from, events.slice(0, middle));
      return first.kind === 'advanced' ? this.apply(realmId, first.position, events.slice(middle)) : first;
    }
  }

  private async applyOnceMore(realmId: RealmId, from: number, events: readonly Recorded[]): Promise<Outcome> {
    try {
      return await this.applyAtOnce(realmId, from, events);
    } catch (error) {
      if (isTransient(error)) throw error;
      const position = error instanceof ProjectionFailed ? error.position : (events[0]?.position ?? from + 1);
      return this.park(realmId, from, position, error);
    }
  }

  private async applyAtOnce(realmId: RealmId, from: number, events: readonly Recorded[]): Promise<Outcome> {
    const last = events.at(-1) ?? null;
    const to = last?.position ?? (from as Position);
    if (to - from !== events.length) throw new Error(`the log of realm ${realmId} has a gap after ${from}`);
    const run = this.consumer.prepare(events);
    const { database, clock } = this.deps;
    // The log has the truth: what a crash takes from here, the checkpoint included, is taken again.
    const begin = `BEGIN; ${BY_INDEX_SQL}; SET LOCAL synchronous_commit = off`;
    const applied = await database.transaction(begin, async (client) => {
      // First, because it locks: whoever comes second waits here and then finds the checkpoint moved.
      const move = { realmId, from, to, commandId: last?.commandId ?? null };
      if (!(await advance(client, this.generation, move, clock.now()))) return false;
      await run(client);
      return true;
    });
    if (!applied) return { kind: 'overtaken', last };
    this.consumer.committed?.(realmId, to);
    return { kind: 'advanced', position: to, last };
  }

  private async park(realmId: RealmId, from: number, position: number, cause: unknown): Promise<Outcome> {
    const error = messageOf(cause);
    const { database, clock } = this.deps;
    const event = { ...this.generation, realmId, position: position as Position, error, parkedAt: clock.now() };
    const parked = await database.transaction('BEGIN', (client) => park(client, event, from));
    return parked ? { kind: 'parked', position, error } : { kind: 'overtaken', last: null };
  }

  private async read(realmId: RealmId, after: number, limit: number): Promise<Readable> {
    const page = await this.readable(realmId, after, limit);
    const { events, unreadable } = page;
    if (!this.consumer.wholeAppends || (unreadable === null && events.length < limit)) return page;
    const whole = lastBoundary(events);
    if (whole === 0 && unreadable === null) return this.read(realmId, after, limit * 2);
    return { events: events.slice(0, whole), unreadable };
  }

  /** A page, or what there is of it before an event that cannot be decoded, for instance because an upcaster fails. */
  private async readable(realmId: RealmId, after: number, limit: number): Promise<Readable> {
    const page = (count: number) => this.deps.source.page(realmId, after, count);
    try {
      return { events: await page(limit), unreadable: null };
    } catch (error) {
      if (isTransient(error)) throw error;
      let good: { count: number; events: readonly Recorded[] } = { count: 0, events: [] };
      let bad = { count: limit, cause: error };
      while (bad.count - good.count > 1) {
        const count = Math.floor((good.count + bad.count) / 2);
        try {
          good = { count, events: await page(count) };
        } catch (cause) {
          if (isTransient(cause)) throw cause;
          bad = { count, cause };
        }
      }
      return { events: good.events, unreadable: { position: after + bad.count, cause: bad.cause } };
    }
  }
}

interface Readable {
  readonly events: readonly Recorded[];
  readonly unreadable: { readonly position: number; readonly cause: unknown } | null;
}

/** Where the last append of a page begins, which may go on behind the page; 0 when the page is all one append. */
function lastBoundary(events: readonly Recorded[]): number {
  const last = events.at(-1)?.commandId;
  return events.findLastIndex((event) => event.commandId !== last) + 1;
}

/** Where to cut a page in two, as near to its middle as appends allow; null when it cannot be cut. */
function middleOf(events: readonly Recorded[], wholeAppends: boolean): number | null {
  const middle = Math.floor(events.length / 2);
  const isBoundary = (at: number) => !wholeAppends || events[at]?.commandId !== events[at - 1]?.commandId;
  for (let offset = 0; offset < events.length; offset += 1) {
    for (const at of [middle - offset, middle + offset]) if (at > 0 && at < events.length && isBoundary(at)) return at;
  }
  return null;
}
