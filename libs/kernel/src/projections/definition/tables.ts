import type { Projection, TableDefinition, TableIndex } from './define';

/** A version of a read model. The live tables of each version have their own schema. */
export type Version = Pick<Projection, 'name' | 'version' | 'schema'>;

/** Names of the schemas of live tables of a version, of tables in a build, and of replaced tables. */
export const liveSchema = ({ name, version, schema }: Version): string => schema ?? `view_${name}_${version}`;
export const nextSchema = (projection: string): string => `next_${projection}`;
export const previousSchema = (projection: string): string => `prev_${projection}`;

export const quotedIdentifier = (name: string): string => `"${name}"`;
export const tableName = (schema: string, table: string): string =>
  `${quotedIdentifier(schema)}.${quotedIdentifier(table)}`;

/**
 * Statements that create the tables of a projection, each with its primary key, which `realm_id` leads. `createIndexes`
 * creates the other indexes later, because a table without them is filled faster. PostgreSQL collects no statistics of sealed
 * columns, because those would contain words after they were erased.
 *
 * @param kind `UNLOGGED` for tables that may be empty after a crash of PostgreSQL
 */
export function createTables(projection: Projection, schema: string, kind: '' | 'UNLOGGED' = ''): string[] {
  return Object.entries(projection.tables).flatMap(([name, definition]) => {
    const columns = Object.entries(definition.columns).map(([column, type]) => `${quotedIdentifier(column)} ${type}`);
    const key = ['realm_id', ...definition.key.map(quotedIdentifier)].join(', ');
    const table = tableName(schema, name);
    const create =
      `CREATE ${kind} TABLE ${table} (realm_id int4, ${columns.join(', ')}, last_position int8 NOT NULL, ` +
      `PRIMARY KEY (${key})) WITH (${storage(definition)})`;
    const unmeasured = (definition.sealed ?? []).map(
      (column) => `ALTER COLUMN ${quotedIdentifier(column)} SET STATISTICS 0`,
    );
    return unmeasured.length === 0 ? [create] : [create, `ALTER TABLE ${table} ${unmeasured.join(', ')}`];
  });
}

/**
 * New entries of a GIN index are first written to a list, which each search reads from end to end. At this size in kB they are
 * moved into the index.
 */
const PENDING_KB = 256;

/**
 * For a migration: the extension with which a GIN index can begin with the realm. It ships with PostgreSQL, and the owner of a
 * database may create it.
 */
export const GIN_INDEXES_SQL = 'CREATE EXTENSION IF NOT EXISTS btree_gin';

/** Statements that create the other indexes, each led by `realm_id`. They may be repeated. */
export function createIndexes(projection: Projection, schema: string): string[] {
  return Object.entries(projection.tables).flatMap(([table, definition]) =>
    (definition.indexes ?? []).map((index, i) => {
      const { unique, method, where } = index;
      return (
        `CREATE ${unique ? 'UNIQUE ' : ''}INDEX IF NOT EXISTS ${quotedIdentifier(`${table}_i${i + 1}`)} ` +
        `ON ${tableName(schema, table)} ${method ? `USING ${method} ` : ''}` +
        `(${['realm_id', ...indexed(definition, index)].join(', ')})` +
        (method ? ` WITH (gin_pending_list_limit = ${PENDING_KB})` : '') +
        (where === undefined ? '' : ` WHERE ${where}`)
      );
    }),
  );
}

const indexed = (definition: TableDefinition, { on }: TableIndex): string[] =>
  on.map((part) => (part in definition.columns ? quotedIdentifier(part) : `(${part})`));

/**
 * Rows that change frequently get free space in their page, so that a new version of a row stays in the page and
 * changes no index. Statistics are refreshed early, because tables grow by pages of thousands of rows.
 */
function storage({ changesOften }: TableDefinition): string {
  return `fillfactor = ${changesOften ? 70 : 95}, autovacuum_analyze_scale_factor = 0.05`;
}
