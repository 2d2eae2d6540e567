import type { ClientBase } from 'pg';
import type { Projection } from '../definition/define';
import { quotedIdentifier, tableName } from '../definition/tables';

/** The differences of a table from that of another version or of a replay. */
export interface Difference {
  readonly table: string;
  readonly onlyLive: number;
  readonly onlyOther: number;
  /** Rows with the same key and other values. */
  readonly different: number;
  /** The first differing keys, with the columns that differ; all columns if one side has no such row. */
  readonly examples: readonly {
    readonly key: Readonly<Record<string, unknown>>;
    readonly columns: readonly string[];
  }[];
  /** Why rows could not be compared one by one. */
  readonly note?: string;
}

const EXAMPLES = 20;

/** The schemas of the live tables and of the others. */
type Schemas = readonly [live: string, other: string];

const NO_COLUMNS: ReadonlyMap<string, string> = new Map();

/**
 * Compares live tables with those of the same names in another schema, row by row by key. Columns that only one side
 * has are left out. Values are not reported, because they may be texts of users.
 * @param schemas of the live tables and of the others
 * @param exact also compares `last_position`, which is equal for the same version only
 * @returns the tables that differ
 */
export async function compareTables(
  client: ClientBase,
  tables: Projection['tables'],
  schemas: Schemas,
  exact: boolean,
): Promise<Difference[]> {
  const differences: Difference[] = [];
  const columns = await columnsOf(client, schemas, Object.keys(tables));
  for (const [table, { key }] of Object.entries(tables)) {
    const live = columns.get(tableName(schemas[0], table)) ?? NO_COLUMNS;
    const other = columns.get(tableName(schemas[1], table)) ?? NO_COLUMNS;
    const common = [...other].filter(([column, type]) => live.get(column) === type).map(([column]) => column);
    const keys = ['realm_id', ...key];
    if (!keys.every((column) => common.includes(column))) {
      differences.push(await countOnly(client, table, schemas, live.size > 0));
      continue;
    }
    const values = common.filter((column) => !keys.includes(column) && (exact || column !== 'last_position'));
    const difference = await compareRows(client, table, schemas, keys, values);
    if (difference) differences.push(difference);
  }
  return differences;
}

/** Types of the columns by name, for each existing table and each schema. */
async function columnsOf(
  client: ClientBase,
  schemas: readonly string[],
  tables: readonly string[],
): Promise<Map<string, Map<string, string>>> {
  const { rows } = await client.query<Record<'schema' | 'table' | 'name' | 'type', string>>(
    `SELECT n.nspname AS schema, c.relname AS table, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type
     FROM pg_namespace n JOIN pg_class c ON c.relnamespace = n.oid JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE n.nspname = ANY($1) AND c.relname = ANY($2) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`,
    [schemas, tables],
  );
  const found = new Map<string, Map<string, string>>();
  for (const { schema, table, name, type } of rows) {
    const of = tableName(schema, table);
    found.set(of, (found.get(of) ?? new Map<string, string>()).set(name, type));
  }
  return found;
}

async function countOnly(client: ClientBase, table: string, schemas: Schemas, isLive: boolean): Promise<Difference> {
  const count = async (of: string) =>
    Number((await client.query<{ n: string }>(`SELECT count(*) AS n FROM ${of}`)).rows[0]?.n);
  return {
    table,
    onlyLive: isLive ? await count(tableName(schemas[0], table)) : 0,
    onlyOther: await count(tableName(schemas[1], table)),
    different: 0,
    examples: [],
    note: isLive ? 'the key is another one: rows are counted, not compared' : 'the table is new',
  };
}

async function compareRows(
  client: ClientBase,
  table: string,
  schemas: Schemas,
  keys: readonly string[],
  values: readonly string[],
): Promise<Difference | null> {
  const distinct = values.map(
    (column) => `l.${quotedIdentifier(column)} IS DISTINCT FROM o.${quotedIdentifier(column)}`,
  );
  const joined =
    `${tableName(schemas[0], table)} AS l FULL JOIN ${tableName(schemas[1], table)} AS o ` +
    `ON ${keys.map((column) => `l.${quotedIdentifier(column)} = o.${quotedIdentifier(column)}`).join(' AND ')}`;
  const differing = ['l.realm_id IS NULL', 'o.realm_id IS NULL', ...distinct].join(' OR ');
  const counts = await client.query<Record<'only_live' | 'only_other' | 'total', string>>(
    `SELECT count(*) FILTER (WHERE o.realm_id IS NULL) AS only_live,
       count(*) FILTER (WHERE l.realm_id IS NULL) AS only_other, count(*) AS total FROM ${joined} WHERE ${differing}`,
  );
  const { only_live: onlyLive = 0, only_other: onlyOther = 0, total = 0 } = counts.rows[0] ?? {};
  if (Number(total) === 0) return null;
  const named = values.map((column, i) => `CASE WHEN ${distinct[i]} THEN '${column}' END`);
  const key = keys.map(
    (column) => `coalesce(l.${quotedIdentifier(column)}, o.${quotedIdentifier(column)}) AS ${quotedIdentifier(column)}`,
  );
  const { rows } = await client.query<Record<string, unknown> & { differing: string[] }>(
    `SELECT ${key.join(', ')}, array_remove(ARRAY[${named.join(', ')}]::text[], NULL) AS differing
     FROM ${joined} WHERE ${differing} ORDER BY ${keys.map((_, i) => i + 1).join(', ')} LIMIT ${EXAMPLES}`,
  );
  return {
    table,
    onlyLive: Number(onlyLive),
    onlyOther: Number(onlyOther),
    different: Number(total) - Number(onlyLive) - Number(onlyOther),
    examples: rows.map(({ differing: columns, ...row }) => ({ key: row, columns })),
  };
}
