import type { ClientBase } from 'pg';
import type { Clock, Instant, Position, RealmId } from '../../domain/index';
import type { Database } from '../../database/database';
import type { Generation } from '../checkpoints/checkpoints';
import { advance, checkpointsOf, forgetCheckpoints, unpark } from '../checkpoints/checkpoints';
import type { Projection } from '../definition/define';
import type { EventSource, EventRange } from '../running/event-source';
import { lengthOf, pagesOf } from '../running/event-source';
import { ensureWhole } from '../running/page-reading';
import { PageFollower, projectionConsumer } from '../running/page-follower';
import type { ProjectionRow } from '../versions/projection-store';
import { forgetPrevious, lockProjection } from '../versions/projection-store';
import {
  createIndexes,
  createTables,
  nextSchema,
  previousSchema,
  quotedIdentifier,
  tableName,
} from '../definition/tables';

export interface BuildProgress {
  readonly projection: string;
  readonly phase: 'copying' | 'indexing' | 'catching up' | 'live';
  /** Number of events of all realms. */
  readonly done: number;
  readonly total: number;
}

export interface BuildDeps {
  readonly database: Database;
  readonly source: EventSource;
  readonly clock: Clock;
  readonly onProgress?: (progress: BuildProgress) => void;
  /** Stops after the current page. The tables remain, and the next run continues from there. */
  readonly signal?: AbortSignal;
  /** Events per transaction. */
  readonly pageSize?: number;
  /**
   * The time since which this process has announced itself without a gap (`Announcement`); absent for processes that
   * never do.
   */
  readonly steadySince?: () => Instant | null;
}

/** An event that the new version cannot apply. Everything before it is built, and the live version continues. */
export class BuildStopped extends Error {
  constructor(
    readonly projection: string,
    readonly realmId: RealmId,
    readonly position: number,
    reason: string,
  ) {
    super(`read model ${projection} cannot be built: position ${position} of realm ${realmId}: ${reason}`);
    this.name = 'BuildStopped';
  }
}

/** An upgrade is in progress: one of the two versions must be ended before another one can be built. */
export class TwoVersionsLive extends Error {
  constructor(readonly projection: string) {
    super(`read model ${projection} is live in two versions: some processes have not been replaced yet`);
    this.name = 'TwoVersionsLive';
  }
}

const PAGE_SIZE = 5_000;
/** Builds of indexes have no time limit, and more memory than a query has. */
export const BEGIN_INDEXING = `BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL maintenance_work_mem = '256MB'`;
/** Statistics of a table with a few pages would mislead the planner about its later size. */
const ANALYZE_FROM_BYTES = 1_000_000;

/** The next version of a projection, in tables beside the live ones. Only its build writes to them. */
export class Build {
  readonly schema: string;
  readonly pageSize: number;
  private done = 0;
  private total = 0;

  private constructor(
    private readonly deps: BuildDeps,
    readonly projection: Projection,
    readonly generation: Generation,
    private indexed: boolean,
  ) {
    this.schema = nextSchema(projection.name);
    this.pageSize = deps.pageSize ?? PAGE_SIZE;
  }

  /**
   * Opens a build, under its lock. It continues what an earlier process left, or the version that was replaced last if
   * it is this one. Otherwise it starts with empty tables.
   * @param restart always starts with empty tables
   */
  static async open(deps: BuildDeps, projection: Projection, restart = false): Promise<Build> {
    return deps.database.transaction('BEGIN', async (client) => {
      const row = await lockedRow(client, projection, deps.clock);
      if (row.sideBySide) throw new TwoVersionsLive(row.name);
      const open = (generation: number, indexed: boolean) =>
        new Build(deps, projection, { projection: row.name, generation }, indexed);
      if (!restart && row.nextVersion === projection.version && row.nextGeneration !== null) {
        await unpark(client, { projection: row.name, generation: row.nextGeneration });
        return open(row.nextGeneration, row.nextIndexed);
      }
      await discardNext(client, row);
      const wasReplaced = row.prevVersion === projection.version && row.version !== projection.version;
      if (!restart && wasReplaced) return open(await takeBack(client, row), true);
      await forgetPrevious(client, row);
      return open(await startEmpty(client, projection), false);
    });
  }

  /**
   * Brings the tables up to the heads, with their indexes. About a page of later events may remain.
   * @throws BuildStopped
   */
  async catchUp(): Promise<void> {
    for (let more = true; more;) {
      const taken = await this.fill();
      more = !this.indexed || taken > this.pageSize;
      if (!this.indexed) await this.index();
    }
  }

  /** The events up to these heads that still have to be applied. */
  async missing(heads: ReadonlyMap<RealmId, Position>, client?: ClientBase): Promise<EventRange[]> {
    const checkpoints = await checkpointsOf(client ?? this.deps.database.pool, this.generation);
    return [...heads]
      .map(([realmId, until]) => ({ realmId, after: checkpoints.get(realmId)?.position ?? 0, until }))
      .filter(({ after, until }) => after < until);
  }

  /** Applies events within the caller's transaction. */
  async take(spans: readonly EventRange[], client: ClientBase): Promise<void> {
    const consumer = projectionConsumer(this.projection, this.schema);
    for await (const { realmId, after, events } of pagesOf(this.deps.source, spans, this.pageSize, client)) {
      const to = events.at(-1)?.position ?? after;
      const moved = await advance(
        client,
        this.generation,
        { realmId, from: after, to, commandId: null },
        this.deps.clock.now(),
      );
      if (!moved) throw overtaken(this.projection);
      await consumer.prepare(events)(client);
    }
  }

  report(phase: BuildProgress['phase']): void {
    this.deps.onProgress?.({ projection: this.projection.name, phase, done: this.done, total: this.total });
  }

  /** Applies the present events. @returns their number */
  private async fill(): Promise<number> {
    const { source, signal } = this.deps;
    const heads = await source.heads();
    const spans = await this.missing(heads);
    this.total = [...heads.values()].reduce((sum, head) => sum + head, 0);
    this.done = this.total - lengthOf(spans);
    const start = this.done;
    const consumer = projectionConsumer(this.projection, this.schema);
    const follower = new PageFollower(this.deps, consumer, this.generation);
    for await (const { realmId, after, events } of pagesOf(source, spans, this.pageSize)) {
      signal?.throwIfAborted();
      ensureWhole(realmId, after, events);
      const outcome = await follower.apply(realmId, after, events);
      if (outcome.kind === 'overtaken') throw overtaken(this.projection);
      if (outcome.kind === 'parked')
        throw new BuildStopped(this.projection.name, realmId, outcome.position, outcome.error);
      this.done += events.length;
      this.report(this.indexed ? 'catching up' : 'copying');
    }
    return this.done - start;
  }

  private async index(): Promise<void> {
    this.report('indexing');
    await this.deps.database.transaction(BEGIN_INDEXING, async (client) => {
      for (const ddl of createIndexes(this.projection, this.schema)) await client.query(ddl);
      for (const table of Object.keys(this.projection.tables)) await analyze(client, tableName(this.schema, table));
      await client.query('UPDATE projections SET next_indexed = true WHERE name = $1', [this.projection.name]);
    });
    this.indexed = true;
  }
}

const overtaken = ({ name }: Projection): Error => new Error(`another process has built read model ${name} too`);

export async function analyze(client: ClientBase, table: string): Promise<void> {
  const { rows } = await client.query<{ large: boolean }>('SELECT pg_relation_size($1::regclass) > $2 AS large', [
    table,
    ANALYZE_FROM_BYTES,
  ]);
  if (rows[0]?.large) await client.query(`ANALYZE ${table}`);
}

/** The row of a projection, created if it was never live. */
async function lockedRow(client: ClientBase, { name, lifecycle }: Projection, clock: Clock): Promise<ProjectionRow> {
  await client.query(
    `INSERT INTO projections (name, lifecycle, generation, changed_at) VALUES ($1, $2, 0, $3)
     ON CONFLICT (name) DO NOTHING`,
    [name, lifecycle, clock.now()],
  );
  const row = await lockProjection(client, name);
  if (row === undefined || row.lifecycle === 'reader') throw new Error(`${name} is no projection`);
  return row;
}

/** Deletes the tables and checkpoints of an unfinished build, if there is one. */
export async function forgetNext(client: ClientBase, row: ProjectionRow): Promise<void> {
  await discardNext(client, row);
  await client.query(
    'UPDATE projections SET next_version = NULL, next_generation = NULL, next_indexed = false WHERE name = $1',
    [row.name],
  );
}

async function discardNext(client: ClientBase, { name, nextGeneration }: ProjectionRow): Promise<void> {
  await client.query(`DROP SCHEMA IF EXISTS ${quotedIdentifier(nextSchema(name))} CASCADE`);
  if (nextGeneration !== null) await forgetCheckpoints(client, { projection: name, generation: nextGeneration });
}

async function startEmpty(client: ClientBase, projection: Projection): Promise<number> {
  const schema = nextSchema(projection.name);
  await client.query(`CREATE SCHEMA ${quotedIdentifier(schema)}`);
  for (const ddl of createTables(projection, schema)) await client.query(ddl);
  return beginGeneration(client, projection.name, projection.version, false);
}

/** Makes the tables that were replaced last, with their checkpoints of then, the next version. That is the way back. */
async function takeBack(client: ClientBase, { name, prevVersion, prevGeneration }: ProjectionRow): Promise<number> {
  await client.query(
    `ALTER SCHEMA ${quotedIdentifier(previousSchema(name))} RENAME TO ${quotedIdentifier(nextSchema(name))}`,
  );
  await client.query('UPDATE projections SET prev_version = NULL, prev_generation = NULL WHERE name = $1', [name]);
  const generation = await beginGeneration(client, name, prevVersion, true);
  await client.query('UPDATE projection_checkpoints SET generation = $3 WHERE projection = $1 AND generation = $2', [
    name,
    prevGeneration,
    generation,
  ]);
  return generation;
}

/** Numbers are never used again, so a follower of an old generation notices that it was deleted. */
async function beginGeneration(
  client: ClientBase,
  name: string,
  version: number | null,
  indexed: boolean,
): Promise<number> {
  const { rows } = await client.query<{ generation: number }>(
    `UPDATE projections SET next_version = $2, next_indexed = $3, next_generation = nextval('projection_generations')
     WHERE name = $1 RETURNING next_generation AS generation`,
    [name, version, indexed],
  );
  return rows[0]?.generation ?? 0;
}
