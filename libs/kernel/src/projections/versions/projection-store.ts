import type { ClientBase, Pool } from 'pg';
import type { Clock, RealmId } from '../../domain/index';
import type { Database } from '../../database/database';
import type { CheckpointedReader } from '../running/checkpointed-reader';
import type { ParkedEvent } from '../checkpoints/checkpoints';
import { forgetCheckpoints, parkedEvents, setCheckpoints, unpark } from '../checkpoints/checkpoints';
import type { Projection } from '../definition/define';
import type { EventSource } from '../running/event-source';
import {
  createIndexes,
  createTables,
  liveSchema,
  nextSchema,
  previousSchema,
  quotedIdentifier,
} from '../definition/tables';

/** A row of `projections`: the live version, the one in a build, and the replaced one. */
export interface ProjectionRow {
  readonly name: string;
  readonly lifecycle: 'inline' | 'background' | 'reader';
  /** Null until the first switch to a build. */
  readonly version: number | null;
  readonly generation: number;
  readonly nextVersion: number | null;
  readonly nextGeneration: number | null;
  /** The tables of the next version are filled so far that they have their indexes. */
  readonly nextIndexed: boolean;
  readonly prevVersion: number | null;
  readonly prevGeneration: number | null;
  /** The next version, or its absence, is live beside `version`. */
  readonly sideBySide: boolean;
}

/** A read model that is not live in the version of this code; null means "not at all". */
export interface Outdated {
  readonly name: string;
  readonly live: number | null;
  readonly declared: number | null;
}

export const PROJECTION_COLUMNS = `name, lifecycle, version, generation, next_version AS "nextVersion",
  next_generation AS "nextGeneration", next_indexed AS "nextIndexed", prev_version AS "prevVersion",
  prev_generation AS "prevGeneration", side_by_side AS "sideBySide"`;
const PROJECTION_ROWS = `SELECT ${PROJECTION_COLUMNS} FROM projections`;

export const rowsByName = <Row extends { readonly name: string | null }>(rows: readonly Row[]): Map<string, Row> =>
  new Map(rows.flatMap((row) => (row.name === null ? [] : [[row.name, row] as const])));

export async function projectionRows(client: ClientBase | Pool): Promise<Map<string, ProjectionRow>> {
  const { rows } = await client.query<ProjectionRow>({
    name: 'projection-rows',
    text: `${PROJECTION_ROWS} ORDER BY name`,
  });
  return rowsByName(rows);
}

/** Locks the row against followers and other changes until the transaction ends. */
export async function lockProjection(client: ClientBase, name: string): Promise<ProjectionRow | undefined> {
  const { rows } = await client.query<ProjectionRow>(`${PROJECTION_ROWS} WHERE name = $1 FOR UPDATE`, [name]);
  return rows[0];
}

/** The stored state of read models: what is live, the positions of followers, and parked events. */
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
   * At boot. While the log is empty, all declared read models become live at once in their declared version, and others
   * are deleted. With events in the log, nothing is changed here: the returned read models have to be built
   * (`Rebuild.upgrade`).
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
      await beginEdition(client);
      return [];
    });
  }

  /** Registers new readers. */
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

  /** Resumes a parked realm of a live projection or reader. @returns false if it is not parked */
  async resume(projection: string, realmId: RealmId): Promise<boolean> {
    return this.database.transaction('BEGIN', async (client) => {
      const row = await lockProjection(client, projection);
      if (row === undefined) return false;
      return (await unpark(client, { projection, generation: row.generation }, realmId)) > 0;
    });
  }

  /**
   * Drops the replaced tables. A return to that version is then a build from the first event.
   * @param names of projections; all by default
   * @returns the names of those that had replaced tables
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
    await client.query(`CREATE SCHEMA ${quotedIdentifier(schema)}`);
    for (const ddl of [...createTables(projection, schema), ...createIndexes(projection, schema)])
      await client.query(ddl);
    await client.query(
      `INSERT INTO projections (name, lifecycle, version, generation, changed_at)
       VALUES ($1, $2, $3, nextval('projection_generations'), $4)`,
      [projection.name, projection.lifecycle, projection.version, this.clock.now()],
    );
  }
}

/** Projections that are not live in the declared version, in either direction. Readers have no versions. */
export function outdated(rows: ReadonlyMap<string, ProjectionRow>, declared: readonly Projection[]): Outdated[] {
  const wanted = new Map(declared.map((projection) => [projection.name, projection]));
  const behind = declared
    .filter((projection) => liveGeneration(rows.get(projection.name), projection) === null)
    .map(({ name, version }) => ({ name, live: rows.get(name)?.version ?? null, declared: version }));
  const obsolete = [...rows.values()]
    .filter(
      ({ name, lifecycle, version, sideBySide }) =>
        lifecycle !== 'reader' && version !== null && !sideBySide && !wanted.has(name),
    )
    .map(({ name, version }) => ({ name, live: version, declared: null }));
  return [...behind, ...obsolete];
}

/** A version of a read model, or a reader. */
export type Followable = Pick<ProjectionRow, 'lifecycle'> & { readonly version: number };

/** The generation under which this version is live, alone or beside another one; null if it is not live. */
export function liveGeneration(row: ProjectionRow | undefined, projection: Followable): number | null {
  if (row === undefined) return null;
  if (row.version === projection.version && row.lifecycle === projection.lifecycle) return row.generation;
  return row.sideBySide && row.nextVersion === projection.version ? row.nextGeneration : null;
}

/** Changes the edition, by which processes notice a change of the live read models. */
export async function beginEdition(client: ClientBase): Promise<void> {
  await client.query('UPDATE installation SET read_models = read_models + 1');
}

/** Deletes a projection with all its data. */
export async function dropProjection(client: ClientBase, row: ProjectionRow | undefined): Promise<void> {
  if (row === undefined) return;
  const { name, version, nextVersion } = row;
  const live = [version, nextVersion].flatMap((each) => (each === null ? [] : [liveSchema({ name, version: each })]));
  const schemas = [nextSchema(name), previousSchema(name), ...live];
  await client.query(`DROP SCHEMA IF EXISTS ${schemas.map(quotedIdentifier).join(', ')} CASCADE`);
  await client.query('DELETE FROM projections WHERE name = $1', [name]);
  for (const table of ['projection_checkpoints', 'parked_events'])
    await client.query(`DELETE FROM ${table} WHERE projection = $1`, [name]);
}

/** Deletes the replaced tables of a version, in the caller's transaction. */
export async function forgetPrevious(client: ClientBase, row: ProjectionRow): Promise<void> {
  await client.query(`DROP SCHEMA IF EXISTS ${quotedIdentifier(previousSchema(row.name))} CASCADE`);
  if (row.prevGeneration === null) return;
  await forgetCheckpoints(client, { projection: row.name, generation: row.prevGeneration });
  await client.query('UPDATE projections SET prev_version = NULL, prev_generation = NULL WHERE name = $1', [row.name]);
}

const isEmpty = (heads: ReadonlyMap<RealmId, number>): boolean => [...heads.values()].every((head) => head === 0);
