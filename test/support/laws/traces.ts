import type { Pool } from 'pg';

/**
 * Where PostgreSQL has a word apart from its tables: in statistics, and in the files of indexes. To be called by a superuser,
 * as specs are.
 */
export async function tracesOf(pool: Pool, word: string): Promise<string[]> {
  const traces: string[] = [];
  const { rows: measured } = await pool.query<{ column: string }>(
    `SELECT DISTINCT tablename || '.' || attname AS column FROM pg_stats AS s
     WHERE schemaname <> 'pg_catalog' AND position($1 IN s::text) > 0`,
    [word],
  );
  for (const { column } of measured) traces.push(`statistics of ${column}`);
  await pool.query('CHECKPOINT');
  const { rows: indexes } = await pool.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
     WHERE c.relkind = 'i' AND n.nspname NOT IN ('pg_catalog', 'pg_toast') AND pg_relation_size(c.oid) > 0
       AND position($1::bytea IN pg_read_binary_file(pg_relation_filepath(c.oid))) > 0`,
    [Buffer.from(word)],
  );
  for (const { name } of indexes) traces.push(`index ${name}`);
  return traces.sort();
}
