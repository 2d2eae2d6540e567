import type { ClientBase, Pool } from 'pg';
import type { Clock, RealmId } from '../domain/index';
import type { Database } from '../database/database';
import type { CheckpointedReader } from './checkpointed-reader';
import type { ParkedEvent } from './checkpoints';
import { forgetCheckpoints, parkedEvents, setCheckpoints, unpark } from './checkpoints';
import type { Projection } from './define';
import type { EventSource } from './event-source';
import { createIndexes, createTables, liveSchema, nextSchema, previousSchema, quoted } from './tables';

/** A row of `projections`: what is live, what is being built, what was replaced. */
export interface ProjectionRow {
  readonly name: string;
  readonly lifecycle: 'inline' | 'background' | 'reader';
  /** Null until a first build has been switched to. */
  readonly version: number | null;
  readonly generation: number;
  readonly nextVersion: number | null;
  readonly nextGeneration: number | null;
  /** The tables of the next version are filled so far that they have their indexes. */
  readonly nextIndexed: boolean;
  readonly prevVersion: number | null;
  readonly prevGeneration: number | null;
}

/** A read model that is not live in the version of this code; null stands for "not at all". */
export interface Outdated {
  readonly name: string;
  readonly live: number | null;
  readonly declared: number | null;
}

/** Version of each live inline projection, by name. */
export type LiveVersions = Readonly<Record<string, number>>;

/** The live inline projections as one value, for whoever is about to write to them; read it under the heads' lock. */
export const LIVE_VERSIONS = `(SELECT coalesce(jsonb_object_agg(name, version), '{}') FROM projections
  WHERE lifecycle = 'inline' AND version IS NOT NULL)`;

/** What `LIVE_VERSIONS` must be for code that knows these inline projections. */
export const versionsOf = (inline: readonly Projection[]): LiveVersions =>
  Object.fromEntries(inline.map(({ name, version }) => [name, version]));

/**
 * Why this code must not write: every live inline projection has to be written, in its live version, by everybody.
 * @param inline the inline projections of this code
 */
export function lacks(live: LiveVersions, inline: readonly Projection[]): string | undefined {
  for (const { name, version } of inline) {
    if (live[name] !== version)
      return `read model ${name} is live in version ${live[name] ?? 'none'}, this process writes version ${version}`;
  }
  const known = versionsOf(inline);
  const unknown = Object.keys(live).find((name) => !(name in known));
  return unknown === undefined ? undefined : `read model ${unknown} is live, this process does not know it`;
}

const PROJECTION_ROWS = `SELECT name, lifecycle, version, generation, next_version AS "nextVersion",
  next_generation AS "nextGeneration", next_indexed AS "nextIndexed", prev_version AS "prevVersion",
  prev_generation AS "prevGeneration" FROM projections`;

export async function projectionRows(client: ClientBase | Pool): Promise<Map<string, ProjectionRow>> {
  const { rows } = await client.query<ProjectionRow>({
    name: 'projection-rows',
    text: `${PROJECTION_ROWS} ORDER BY name`,
  });
  return new Map(rows.map((row) => [row.name, row]));
}

/** Locks the row against followers and other changes until the transaction ends. */
export async function lockProjection(client: ClientBase, name: string): Promise<ProjectionRow | undefined> {
  const { rows } = await client.query<ProjectionRow>(`${PROJECTION_ROWS} WHERE name = $1 FOR UPDATE`, [name]);
  return rows[0];
}

/** Bookkeeping of read models: what is live, where followers stand and stopped. */
export class ProjectionStore {
  constructor(
    private readonly database: Database,
    private readonly source: EventSource,
    private readonly clock: Clock,
  ) {}

  rows(): Promise<Map<string, ProjectionRow>> {
    return projectionRows(this.database.pool);
  }

  /**
   * At boot. While the log is empty everything declared becomes live at once, in its declared version, and what is no
   * longer declared goes. Afterwards nothing changes here: what is returned has to be built (`Rebuild.upgrade`).
   */
  async ensureLive(declared: readonly Projection[]): Promise<Outdated[]> {
    const found = outdated(await this.rows(), declared);
    if (found.length === 0 || !isEmpty(await this.source.heads())) return found;
    return this.database.transaction('BEGIN', async (client) => {
      const log = await this.source.lockHeads(client);
      const rows = await projectionRows(client);
      const stale = outdated(rows, declared);
      if (!isEmpty(log)) return stale;
      for (const { name } of stale) await dropProjection(client, rows.get(name));
      for (const projection of declared)
        if (stale.some(({ name }) => name === projection.name)) await this.createLive(client, projection);
      return [];
    });
  }

  /** Registers readers that were never seen before. */
  async ensureReaders(readers: readonly CheckpointedReader[]): Promise<void> {
    const known = await this.rows();
    for (const reader of readers) {
      if (known.has(reader.name)) continue;
      await this.database.transaction('BEGIN', async (client) => {
        const { rowCount } = await client.query(
          `INSERT INTO projections (name, lifecycle, version, generation, changed_at) VALUES ($1, 'reader', 1, 1, $2)
           ON CONFLICT (name) DO NOTHING`,
          [reader.name, this.clock.now()],
        );
        if (rowCount === 0 || reader.begins === 'beginning') return;
        const heads = await this.source.heads(null, client);
        await setCheckpoints(client, { projection: reader.name, generation: 1 }, heads, this.clock.now());
      });
    }
  }

  parked(): Promise<ParkedEvent[]> {
    return parkedEvents(this.database.pool);
  }

  /** Lets a parked realm of a live projection or reader try its event again. False when it is not parked. */
  async resume(projection: string, realmId: RealmId): Promise<boolean> {
    return this.database.transaction('BEGIN', async (client) => {
      const row = await lockProjection(client, projection);
      if (row === undefined) return false;
      return (await unpark(client, { projection, generation: row.generation }, realmId)) > 0;
    });
  }

  /**
   * Drops the tables that were replaced; going back to them is then a build from the first event.
   * @param names of projections; all when left out
   * @returns the names of those that had some
   */
  async dropPrevious(names?: readonly string[]): Promise<string[]> {
    const dropped: string[] = [];
    for (const name of names ?? (await this.rows()).keys()) {
      await this.database.transaction('BEGIN', async (client) => {
        const row = await lockProjection(client, name);
        if (row?.prevGeneration == null) return;
        await forgetPrevious(client, row);
        dropped.push(name);
      });
    }
    return dropped;
  }

  private async createLive(client: ClientBase, projection: Projection): Promise<void> {
    const schema = liveSchema(projection);
    await client.query(`CREATE SCHEMA ${quoted(schema)}`);
    for (const ddl of [...createTables(projection, schema), ...createIndexes(projection, schema)])
      await client.query(ddl);
    await client.query(
      `INSERT INTO projections (name, lifecycle, version, generation, changed_at)
       VALUES ($1, $2, $3, nextval('projection_generations'), $4)`,
      [projection.name, projection.lifecycle, projection.version, this.clock.now()],
    );
  }
}

/** Projections whose live version is not the declared one, in either direction. Readers have no versions. */
export function outdated(rows: ReadonlyMap<string, ProjectionRow>, declared: readonly Projection[]): Outdated[] {
  const wanted = new Map(declared.map((projection) => [projection.name, projection]));
  const behind = declared
    .filter((projection) => !isLive(rows.get(projection.name), projection))
    .map(({ name, version }) => ({ name, live: rows.get(name)?.version ?? null, declared: version }));
  const obsolete = [...rows.values()]
    .filter(({ name, lifecycle, version }) => lifecycle !== 'reader' && version !== null && !wanted.has(name))
    .map(({ name, version }) => ({ name, live: version, declared: null }));
  return [...behind, ...obsolete];
}

export const isLive = (row: ProjectionRow | undefined, projection: Projection): boolean =>
  row?.version === projection.version && row.lifecycle === projection.lifecycle;

/** Removes a projection with everything it has. */
export async function dropProjection(client: ClientBase, row: ProjectionRow | undefined): Promise<void> {
  if (row === undefined) return;
  const { name, version } = row;
  const schemas = [nextSchema(name), previousSchema(name)];
  if (version !== null) schemas.push(liveSchema({ name, version }));
  await client.query(`DROP SCHEMA IF EXISTS ${schemas.map(quoted).join(', ')} CASCADE`);
  await client.query('DELETE FROM projections WHERE name = $1', [name]);
  for (const table of ['projection_checkpoints', 'parked_events'])
    await client.query(`DELETE FROM ${table} WHERE projection = $1`, [name]);
}

/** Removes what a version replaced, in the caller's transaction. */
export async function forgetPrevious(client: ClientBase, row: ProjectionRow): Promise<void> {
  await client.query(`DROP SCHEMA IF EXISTS ${quoted(previousSchema(row.name))} CASCADE`);
  if (row.prevGeneration === null) return;
  await forgetCheckpoints(client, { projection: row.name, generation: row.prevGeneration });
  await client.query('UPDATE projections SET prev_version = NULL, prev_generation = NULL WHERE name = $1', [row.name]);
}

const isEmpty = (heads: ReadonlyMap<RealmId, number>): boolean => [...heads.values()].every((head) => head === 0);
