import { CannotStart } from '@annals/embedded';
import type { Database } from '@annals/kernel';

const OLDEST_VERSION = 150_000;

/** The facts that PostgreSQL reports about itself and one database. */
export interface DatabaseFacts {
  readonly encoding: string;
  /** As in `server_version_num`: 150004 is 15.4. */
  readonly version: number;
}

/**
 * Makes sure that the log can be kept in this database, before anything is.
 *
 * @throws CannotStart when its server is too old or it cannot hold every character
 */
export async function ensureSuitable({ pool }: Database): Promise<void> {
  const { rows } = await pool.query<DatabaseFacts>(
    `SELECT current_setting('server_encoding') AS encoding, current_setting('server_version_num')::int4 AS version`,
  );
  const mistake = rows[0] && whyUnsuitable(rows[0]);
  if (mistake !== undefined) throw new CannotStart(mistake);
}

/** Why the log cannot be kept there, in one sentence; undefined when it can. */
export function whyUnsuitable({ encoding, version }: DatabaseFacts): string | undefined {
  if (version < OLDEST_VERSION)
    return `PostgreSQL ${Math.floor(version / 10_000)} is too old. Annals needs 15 or newer.`;
  if (encoding !== 'UTF8')
    return `The database has the encoding ${encoding}. Create it with ENCODING 'UTF8' TEMPLATE template0.`;
  return undefined;
}

/**
 * Checks that no newer program has changed the schema.
 *
 * @throws CannotStart when the database has a migration that this program does not know
 */
export async function ensureNotNewer({ dataSource, pool }: Database): Promise<void> {
  const { rows: tables } = await pool.query<{ oid: string | null }>(`SELECT to_regclass('migrations')::text AS oid`);
  if (!tables[0]?.oid) return;
  const known = dataSource.migrations.map(({ name }) => name);
  const { rows } = await pool.query('SELECT FROM migrations WHERE name <> ALL($1::text[]) LIMIT 1', [known]);
  if (rows.length > 0) throw new CannotStart('The database is newer than this program.');
}
