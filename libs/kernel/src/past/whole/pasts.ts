import type { ClientBase, Pool } from 'pg';
import type { Database } from '../../database/database';
import type { Clock, RealmId } from '../../domain/index';
import type { Projection } from '../../projections/definition/define';
import { BuildInProgress, withBuildLocks } from '../../projections/rebuild/build-lock';
import type { PastKey } from './past-schema';
import { createPastSchema, dropPastSchema, isPastThere } from './past-schema';

/** A past, as its row describes it. */
export interface PastRow extends PastKey {
  readonly id: string;
  readonly isComplete: boolean;
  readonly hasErasedWords: boolean;
}

const ROWS = `SELECT realm_id AS "realmId", position, id, is_complete AS "isComplete",
  has_erased_words AS "hasErasedWords" FROM pasts`;

/** Another process builds or serves this past. */
export class PastInUse extends Error {
  constructor({ realmId, position }: PastKey) {
    super(`Another process builds or serves position ${position} of realm ${realmId}.`);
    this.name = 'PastInUse';
  }
}

/** All pasts. */
export async function pastRows(client: Pool | ClientBase): Promise<PastRow[]> {
  return (await client.query<PastRow>(`${ROWS} ORDER BY realm_id, position`)).rows;
}

/** The row of a past; null when it was dropped. */
export async function pastRow(client: Pool | ClientBase, { realmId, position }: PastKey): Promise<PastRow | null> {
  const { rows } = await client.query<PastRow>({
    name: 'past-row',
    text: `${ROWS} WHERE realm_id = $1 AND position = $2`,
    values: [realmId, position],
  });
  return rows[0] ?? null;
}

/**
 * Runs while no other process builds, serves or drops this past. A killed process holds nothing.
 *
 * @throws PastInUse at once, without waiting
 */
export async function withPastLock<T>(database: Database, key: PastKey, run: () => Promise<T>): Promise<T> {
  try {
    return await withBuildLocks(database, [lockOf(key)], run);
  } catch (error) {
    if (error instanceof BuildInProgress && error.projection === lockOf(key)) throw new PastInUse(key);
    throw error;
  }
}

const lockOf = ({ realmId, position }: PastKey): string => `past ${realmId} ${position}`;

/**
 * The past that an earlier process left, if it can be continued, otherwise a new one without rows. Under its lock.
 *
 * The row is stored before any event is read. An erasure locks the table of pasts before it erases, so either it finds the
 * row, or its words are gone before they could be read (`Erasures`).
 */
export async function openPast(
  database: Database,
  key: PastKey,
  projections: readonly Projection[],
  clock: Clock,
): Promise<PastRow> {
  const { pool } = database;
  const versions = JSON.stringify(Object.fromEntries(projections.map(({ name, version }) => [name, version])));
  const left = await pastRow(pool, key);
  if (left && !left.hasErasedWords && (await isOfThisCode(pool, key, versions)) && (await isPastThere(pool, key)))
    return left;
  return database.transaction('BEGIN', async (client) => {
    await forgetPast(client, key);
    await client.query(
      `INSERT INTO pasts (realm_id, position, installation, read_models, begun_at)
       SELECT $1, $2, id, $3, $4 FROM installation`,
      [key.realmId, key.position, versions, clock.now()],
    );
    await createPastSchema(client, key, projections, clock.now());
    const row = await pastRow(client, key);
    if (row === null) throw new Error('the installation has no id');
    return row;
  });
}

async function isOfThisCode(pool: Pool, { realmId, position }: PastKey, versions: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    `SELECT FROM pasts AS p JOIN installation AS i ON i.id = p.installation
     WHERE p.realm_id = $1 AND p.position = $2 AND p.read_models = $3::jsonb`,
    [realmId, position, versions],
  );
  return rowCount === 1;
}

/** Drops a past with its row, in the caller's transaction and under its lock. */
export async function forgetPast(client: ClientBase, key: PastKey): Promise<void> {
  await dropPastSchema(client, key);
  await client.query('DELETE FROM pasts WHERE realm_id = $1 AND position = $2', [key.realmId, key.position]);
}

/**
 * Drops pasts that no process builds or serves, except one.
 *
 * @returns those that a process holds
 */
export async function dropLeftPasts(
  database: Database,
  which: (row: PastRow) => boolean = () => true,
): Promise<PastRow[]> {
  const held: PastRow[] = [];
  for (const row of (await pastRows(database.pool)).filter(which)) {
    try {
      await withPastLock(database, row, () => database.transaction('BEGIN', (client) => forgetPast(client, row)));
    } catch (error) {
      if (!(error instanceof PastInUse)) throw error;
      held.push(row);
    }
  }
  return held;
}

/**
 * Drops the pasts of a realm that may contain erased words.
 *
 * @returns those that a process still serves. It ends or builds them again within seconds, and a later call finds none
 */
export const dropPastsWithErasedWords = (database: Database, realmId: RealmId): Promise<PastRow[]> =>
  dropLeftPasts(database, (row) => row.realmId === realmId && row.hasErasedWords);

/** The first statement of a transaction that erases words, so that no past begins meanwhile. */
export const LOCK_PASTS_SQL = 'LOCK TABLE pasts IN SHARE ROW EXCLUSIVE MODE';

/** Records that words of these events were erased, in the transaction that erases them. */
export async function noteErasedWords(
  client: ClientBase,
  realmId: RealmId,
  positions: readonly number[],
): Promise<void> {
  if (positions.length === 0) return;
  await client.query('UPDATE pasts SET has_erased_words = true WHERE realm_id = $1 AND position >= $2', [
    realmId,
    positions.reduce((a, b) => Math.min(a, b), Infinity),
  ]);
}
