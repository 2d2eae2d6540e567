import type { ClientBase } from 'pg';

export interface TableOfTruth {
  readonly name: string;
  readonly columns: readonly string[];
}

/** Tables of which a backup keeps what is said of readers, which are not built anew, and nothing of who runs now. */
const BOOKKEEPING: Readonly<Record<string, string>> = {
  follower_processes: 'false',
  processes: 'false',
  projections: `lifecycle = 'reader'`,
  projection_checkpoints: `projection IN (SELECT name FROM projections WHERE lifecycle = 'reader')`,
  parked_events: `projection IN (SELECT name FROM projections WHERE lifecycle = 'reader')`,
};

/** Where TypeORM remembers what was run; a restore runs it again. */
const MIGRATIONS = 'migrations';

const quoted = (name: string): string => `"${name}"`;

const TABLES = `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' AND c.relname <> ALL($1::text[])
  GROUP BY c.relname ORDER BY c.relname`;

/** The tables that migrations have made, but for those that are left out. */
export async function tablesOfTruth(client: ClientBase, transient: readonly string[]): Promise<TableOfTruth[]> {
  const { rows } = await client.query<TableOfTruth>(TABLES, [[MIGRATIONS, ...transient]]);
  return rows;
}

/** Names of the migrations that were run; null when there is no schema at all. */
export async function migrationsRun(client: ClientBase): Promise<string[] | null> {
  const { rows: tables } = await client.query<{ table: string | null }>(`SELECT to_regclass('${MIGRATIONS}') AS table`);
  if (tables[0]?.table == null) return null;
  const { rows } = await client.query<{ name: string }>(`SELECT name FROM ${MIGRATIONS} ORDER BY name`);
  return rows.map(({ name }) => name);
}

/** Selects what a backup keeps of a table. */
export function selection({ name, columns }: TableOfTruth): string {
  const where = BOOKKEEPING[name];
  return `SELECT ${columns.map(quoted).join(', ')} FROM ${quoted(name)}${where === undefined ? '' : ` WHERE ${where}`}`;
}

/** Takes what a backup kept of it. */
export const copyInto = ({ name, columns }: TableOfTruth): string =>
  `COPY ${quoted(name)} (${columns.map(quoted).join(', ')}) FROM STDIN`;

/** The first table of these that has a row; undefined when none has. */
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

/** Last values of the sequences; one that was never used is missing. */
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
