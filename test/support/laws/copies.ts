import type { Pool } from 'pg';

/**
 * Where texts can be found in a database: all columns of all tables are searched as text.
 *
 * @returns each text that is somewhere, with the names of the tables. Partitions count as their table
 */
export async function copiesOf(pool: Pool, texts: readonly string[]): Promise<[text: string, tables: string[]][]> {
  const { rows } = await pool.query<{ name: string; place: string }>(
    `SELECT c.relname AS name, format('%I.%I', n.nspname, c.relname) AS place FROM pg_class AS c
     JOIN pg_namespace AS n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname NOT IN ('pg_catalog', 'information_schema')
     ORDER BY c.relname`,
  );
  const found: [string, string[]][] = [];
  for (const text of texts) {
    const tables: string[] = [];
    for (const { name, place } of rows) {
      const copies = await pool.query(`SELECT FROM ${place} AS t WHERE position($1 IN t::text) > 0 LIMIT 1`, [text]);
      if (copies.rowCount) tables.push(name);
    }
    if (tables.length > 0) found.push([text, tables]);
  }
  return found;
}
