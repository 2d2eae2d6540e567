import type { ClientBase } from 'pg';
import { quotedIdentifier, tableName } from '../projections/definition/tables';
import type { Projection } from '../projections/definition/define';

/** A column that can hold what people wrote. */
export interface SealedColumn {
  readonly schema: string;
  readonly table: string;
  readonly column: string;
  readonly type: string;
  /** PostgreSQL collects statistics of it. */
  readonly isMeasured: boolean;
  /** There are statistics with values of it. */
  readonly hasValues: boolean;
}

/** Of tables beside the read models: the log and the secrets. */
const BESIDE: readonly (readonly [table: string, column: string])[] = [
  ['events', 'sealed'],
  ['events', 'salt'],
  ['secrets', 'value'],
];

const COLUMNS = `SELECT n.nspname AS schema, c.relname AS table, a.attname AS column,
    format_type(a.atttypid, a.atttypmod) AS type, a.attstattarget IS DISTINCT FROM 0 AS "isMeasured",
    EXISTS (SELECT FROM pg_stats AS s WHERE s.schemaname = n.nspname AND s.attname = a.attname
      AND (s.most_common_vals IS NOT NULL OR s.histogram_bounds IS NOT NULL OR s.most_common_elems IS NOT NULL)
      AND s.tablename IN (SELECT c.relname UNION ALL SELECT p.relname FROM pg_inherits AS h
        JOIN pg_class AS p ON p.oid = h.inhrelid WHERE h.inhparent = c.oid)) AS "hasValues"
  FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
  JOIN pg_attribute AS a ON a.attrelid = c.oid AND NOT a.attisdropped
  JOIN unnest($2::text[], $3::text[]) AS sealed("table", "column") ON sealed.table = c.relname AND sealed.column = a.attname
  WHERE c.relkind IN ('r', 'p') AND CASE WHEN $1::text IS NULL THEN n.nspname = current_schema() ELSE n.nspname ~ $1 END
  ORDER BY n.nspname, c.relname, a.attnum`;

/** Those of the log and the secrets. The columns of partitions are those of their table. */
export const sealedBeside = (client: ClientBase): Promise<SealedColumn[]> => columns(client, null, BESIDE);

/** Those of a read model, in the live tables of all versions, in a build, and in replaced tables. */
export function sealedOf(client: ClientBase, { name, tables }: Projection): Promise<SealedColumn[]> {
  const declared = Object.entries(tables).flatMap(([table, { sealed = [] }]) =>
    sealed.map((column) => [table, column] as const),
  );
  return columns(client, `^(next_${name}|prev_${name}|view_${name}_[0-9]+)$`, declared);
}

async function columns(
  client: ClientBase,
  schemas: string | null,
  declared: readonly (readonly [table: string, column: string])[],
): Promise<SealedColumn[]> {
  const names = [declared.map(([table]) => table), declared.map(([, column]) => column)];
  const { rows } = await client.query<SealedColumn>(COLUMNS, [schemas, ...names]);
  return rows;
}

/** Statements after which PostgreSQL has no statistics of these columns, and collects none. */
export function withoutStatistics(columns: readonly SealedColumn[]): string[] {
  return columns.flatMap(({ schema, table, column, type, isMeasured, hasValues }) => {
    const alter = `ALTER TABLE ${tableName(schema, table)} ALTER COLUMN ${quotedIdentifier(column)}`;
    // A change of the type is the only way to delete statistics. One to the same type writes no row.
    return [...(isMeasured ? [`${alter} SET STATISTICS 0`] : []), ...(hasValues ? [`${alter} TYPE ${type}`] : [])];
  });
}
