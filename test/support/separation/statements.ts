import type { Pool } from 'pg';
import { Client } from 'pg';

/** Records the text of each statement that is sent to PostgreSQL from now on. */
export function recordStatements(): { readonly texts: ReadonlySet<string>; end(): void } {
  const texts = new Set<string>();
  const { prototype } = Client;
  const own = Object.getOwnPropertyDescriptor(prototype, 'query');
  const { query } = prototype as unknown as { query: (...asked: unknown[]) => unknown };
  Object.defineProperty(prototype, 'query', {
    ...own,
    value: function recorded(this: Client, ...asked: unknown[]): unknown {
      const [first] = asked;
      const text = typeof first === 'string' ? first : (first as { text?: string } | undefined)?.text;
      if (text !== undefined) texts.add(text);
      return query.apply(this, asked);
    },
  });
  return { texts, end: () => void (own && Object.defineProperty(prototype, 'query', own)) };
}

/** Names of the tables whose rows are those of organizations. */
export async function tablesOfOrganizations(pool: Pool): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT DISTINCT c.relname AS name FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
     JOIN pg_attribute AS a ON a.attrelid = c.oid WHERE a.attname = 'realm_id' AND n.nspname NOT LIKE 'pg\\_%'`,
  );
  return new Set(rows.map(({ name }) => name));
}

/** A statement in one line, with read models under their own names instead of those of a version. */
export const plainOf = (text: string): string =>
  text
    .replace(/--[^\n]*/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/(?:"view_\w+"|view|public)\."?(\w+)"?/g, '$1');

/** A table that a statement names, with what it calls it. */
const NAMED = /\b(?:FROM|JOIN|UPDATE|USING)\s+(?:ONLY\s+)?([a-z_]+)(?!\s*\()(?:\s+(?:AS\s+)?([a-z_]+))?/g;
const NO_NAMES = new Set(
  'as on where set join left right inner cross full order group limit union using natural for lateral returning window offset values select'.split(
    ' ',
  ),
);

/**
 * The tables of organizations that a statement names without saying of which organization. A table is bound by a comparison of its
 * `realm_id`, by a join `USING` it, or by a list of rows that begins with it.
 */
export function unboundTables(text: string, tables: ReadonlySet<string>): readonly string[] {
  const plain = plainOf(text);
  const joined = /\b(?:USING|NATURAL)\b[^)]*\brealm_id\b/.test(plain);
  const named = [...plain.matchAll(NAMED)].filter(([, table = '']) => tables.has(table));
  return named.flatMap(([, table = '', given]) => {
    const alias = given === undefined || NO_NAMES.has(given.toLowerCase()) ? null : given;
    const isAlone = alias === null || named.length === 1;
    return joined || isBound(plain, alias ?? table) || (isAlone && isBound(plain, null)) ? [] : [table];
  });
}

/** Whether a statement compares the `realm_id` of a table. @param name null for the only table of a part of the statement */
function isBound(text: string, name: string | null): boolean {
  const column = name === null ? '(?<![.\\w])realm_id' : `\\b${name}\\.realm_id`;
  const after = `${column}\\b\\s*(?:=|IN\\b|IS NOT DISTINCT)`;
  const before = `(?:=|\\bIN)\\s*${column}\\b`;
  const inRow = `\\(\\s*${column}\\b[^)]*\\)\\s*(?:=|IN\\b)|(?:=|\\bIN)\\s*\\(\\s*${column}\\b`;
  return new RegExp(`${after}|${before}|${inRow}`, 'i').test(text);
}
