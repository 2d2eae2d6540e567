import { setTimeout as pause } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import { HOLDING_SQL } from '../../database/database';
import type { Instant, Position, RealmId } from '../../domain/index';
import type { Build, BuildDeps } from '../rebuild/build';
import { forgetCheckpoints, setCheckpoints, unpark } from '../checkpoints/checkpoints';
import { lengthOf } from '../running/event-source';
import { isLockTimeoutOrDeadlock } from '../../database/sql-states';
import type { ProjectionRow } from './projection-store';
import { forgetPrevious, lockProjection } from './projection-store';
import { BY_INDEX_SQL } from '../rows/row-sql';
import { liveSchema, previousSchema, quotedIdentifier, tableName } from '../definition/tables';

/**
 * Lock timeout in ms. It is shorter than PostgreSQL's interval for the detection of deadlocks (1 s): if the switch and
 * a reader wait for each other, the switch gives up and tries again, and no request fails.
 */
const BEGIN_SWITCH = `BEGIN; ${HOLDING_SQL}; SET LOCAL lock_timeout = '300ms'; SET LOCAL statement_timeout = 0; ${BY_INDEX_SQL}`;
const ATTEMPTS = 30;
const PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Replaces the tables of live versions by new builds, in one transaction: the last events are applied, and the tables
 * are exchanged. For inline projections, all writers wait meanwhile. For background projections, their runner waits.
 * @throws BuildStopped, or ProjectionFailed for one of the last events; Error if the tables are locked for a minute,
 * for instance by a backup
 */
export async function switchTo(deps: BuildDeps, builds: readonly Build[]): Promise<void> {
  await inShortTransaction(deps, catchingUp(builds), async (client) => {
    if (builds.some(({ projection }) => projection.lifecycle === 'inline')) await deps.source.lockHeads(client);
    // Excludes runners, and snapshots that hold the tables they see (HOLD_VERSIONS_SQL).
    await client.query('LOCK TABLE projection_checkpoints IN ACCESS EXCLUSIVE MODE');
    const heads = await deps.source.heads(null, client);
    if (!(await takeMissing(builds, heads, client))) return false;
    for (const build of builds) {
      await moveOut(client, await rowToSwitch(client, build), heads, deps.clock.now());
      await moveIn(client, build, deps.clock.now());
    }
    return true;
  });
}

/** Brings builds to the heads while all other work continues. */
export const catchingUp = (builds: readonly Build[]) => async (): Promise<void> => {
  for (const build of builds) await build.catchUp();
};

/**
 * Runs what needs locks that all others need too. If the locks are not available soon, it tries again later.
 * @param prepare does the work that needs no locks, before each attempt
 * @param run returns false if too much work is left under the locks
 */
export async function inShortTransaction(
  { database, signal }: BuildDeps,
  prepare: () => Promise<void>,
  run: (client: ClientBase) => Promise<boolean>,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await prepare();
    try {
      if (await database.transaction(BEGIN_SWITCH, run)) return;
    } catch (error) {
      if (!isLockTimeoutOrDeadlock(error)) throw error;
      if (attempt >= ATTEMPTS)
        throw new Error('a long transaction, perhaps a backup, reads the read models that are being replaced', {
          cause: error,
        });
      const ms = Math.min(LONGEST_PAUSE_MS, PAUSE_MS * attempt);
      await pause(ms, undefined, signal === undefined ? {} : { signal });
    }
  }
}

/** Brings builds to the heads under their lock. @returns false if too much work is left */
export async function takeMissing(
  builds: readonly Build[],
  heads: ReadonlyMap<RealmId, Position>,
  client: ClientBase,
): Promise<boolean> {
  for (const build of builds) {
    const missing = await build.missing(heads, client);
    if (lengthOf(missing) > build.pageSize) return false;
    await build.take(missing, client);
  }
  return true;
}

/** Locks the row of a finished build. */
export async function rowToSwitch(client: ClientBase, { generation, projection }: Build): Promise<ProjectionRow> {
  const row = await lockProjection(client, projection.name);
  if (row?.nextGeneration !== generation.generation || !row.nextIndexed || row.sideBySide)
    throw new Error(`another process has built read model ${projection.name} too`);
  return row;
}

/** The replaced tables remain until they are dropped. */
async function moveOut(
  client: ClientBase,
  row: ProjectionRow,
  heads: ReadonlyMap<RealmId, Position>,
  at: Instant,
): Promise<void> {
  await forgetPrevious(client, row);
  if (row.version === null) return;
  await renameSchema(client, liveSchema({ name: row.name, version: row.version }), previousSchema(row.name));
  const generation = { projection: row.name, generation: row.generation };
  if (row.lifecycle === 'inline') await setCheckpoints(client, generation, heads, at);
  else await unpark(client, generation);
}

async function moveIn(client: ClientBase, { projection, generation, schema }: Build, at: Instant): Promise<void> {
  const { name, lifecycle, version } = projection;
  await renameSchema(client, schema, liveSchema(projection));
  await client.query(
    `UPDATE projections SET lifecycle = $2, version = $3, generation = next_generation, changed_at = $4,
       prev_version = version, prev_generation = CASE WHEN version IS NOT NULL THEN generation END,
       next_version = NULL, next_generation = NULL, next_indexed = false
     WHERE name = $1`,
    [name, lifecycle, version, at],
  );
  // A live inline projection is at the head and writes no checkpoints, so these are outdated.
  if (lifecycle === 'inline') await forgetCheckpoints(client, generation);
}

/** Waits for the users of the tables, so that a table never changes for a query that has found it by name. */
async function renameSchema(client: ClientBase, from: string, to: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT tablename AS name FROM pg_tables WHERE schemaname = $1',
    [from],
  );
  const tables = rows.map(({ name }) => tableName(from, name));
  if (tables.length > 0) await client.query(`LOCK TABLE ${tables.join(', ')} IN ACCESS EXCLUSIVE MODE`);
  await client.query(`ALTER SCHEMA ${quotedIdentifier(from)} RENAME TO ${quotedIdentifier(to)}`);
}
