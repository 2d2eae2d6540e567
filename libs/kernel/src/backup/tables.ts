import type { ClientBase } from 'pg';

export interface TableOfTruth {
  readonly name: string;
  readonly columns: readonly string[];
}

/** Tables that a backup contains in part: the state of readers, which cannot be rebuilt, and no running processes. */
const BOOKKEEPING: Readonly<Record<string, string>> = {
  follower_processes: 'false',
  pasts: 'false',
  processes: 'false',
  projections: `lifecycle = 'reader'`,
  projection_checkpoints: `projection IN (SELECT name FROM projections WHERE lifecycle = 'reader')`,
  parked_events: `projection IN (SELECT name FROM projections WHERE lifecycle = 'reader')`,
};

/** The table in which TypeORM records migrations. A restore runs the migrations again. */
const MIGRATIONS = 'migrations';

const quoted = (name: string): string => `"${name}"`;

const TABLES = `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' AND c.relname <> ALL($1::text[])
  GROUP BY c.relname ORDER BY c.relname`;

/** The tables that migrations create, except the excluded ones. */
export async function tablesOfTruth(client: ClientBase, transient: readonly string[]): Promise<TableOfTruth[]> {
  const { rows } = await client.query<TableOfTruth>(TABLES, [[MIGRATIONS, ...transient]]);
  return rows;
}

/** Names of the applied migrations; null if there is no schema. */
export async function migrationsRun(client: ClientBase): Promise<string[] | null> {
  const { rows: tables } = await client.query<{ table: string | null }>(`SELECT to_regclass('${MIGRATIONS}') AS table`);
  if (tables[0]?.table == null) return null;
  const { rows } = await client.query<{ name: string }>(`SELECT name FROM ${MIGRATIONS} ORDER BY name`);
  return rows.map(({ name }) => name);
}

/** Selects the rows of a table for a backup. */
export function selection({ name, columns }: TableOfTruth): string {
  const where = BOOKKEEPING[name];
  return `SELECT ${columns.map(quoted).join(', ')} FROM ${quoted(name)}${where === undefined ? '' : ` WHERE ${where}`}`;
}

/** Receives the rows of a backup. */
export const copyInto = ({ name, columns }: TableOfTruth): string =>
  `COPY ${quoted(name)} (${columns.map(quoted).join(', ')}) FROM STDIN`;

/** The first of these tables that has a row; undefined if none has. */
export async function firstWithRows(
  client: ClientBase,
  tables: readonly TableOfTruth[],
): Promise<TableOfTruth | undefined> {
  for (const table of tables) {
    const { rowCount } = await client.query(`SELECT FROM ${quoted(table.name)} LIMIT 1`);
    if (rowCount) return table;
  }
  return undefined;
}

/** Last values of the sequences. Unused sequences are left out. */
export async function sequences(client: ClientBase): Promise<Record<string, number>> {
  const { rows } = await client.query<{ name: string; last: number }>(
    `SELECT sequencename AS name, last_value AS last FROM pg_sequences
     WHERE schemaname = current_schema() AND last_value IS NOT NULL`,
  );
  return Object.fromEntries(rows.map(({ name, last }) => [name, Number(last)]));
}

export async function setSequences(client: ClientBase, values: Readonly<Record<string, number>>): Promise<void> {
  for (const [name, last] of Object.entries(values))
    await client.query('SELECT setval($1::regclass, $2)', [quoted(name), last]);
}
