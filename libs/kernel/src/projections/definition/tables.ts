import type { Projection, TableDefinition, TableIndex } from './define';

/** A version of a read model, whose live tables have a schema of their own. */
export type Version = Pick<Projection, 'name' | 'version'>;

/** Names of the schemas: live tables of a version, those of one that is being built, and those that were replaced. */
export const liveSchema = ({ name, version }: Version): string => `view_${name}_${version}`;
export const nextSchema = (projection: string): string => `next_${projection}`;
export const previousSchema = (projection: string): string => `prev_${projection}`;

export const quoted = (name: string): string => `"${name}"`;
export const tableName = (schema: string, table: string): string => `${quoted(schema)}.${quoted(table)}`;

/**
 * Statements that create the tables of a projection, each with its primary key, which `realm_id` leads.
 * Secondary indexes are left to `createIndexes`: filling a table is faster without them.
 */
export function createTables(projection: Projection, schema: string): string[] {
  return Object.entries(projection.tables).map(([name, definition]) => {
    const columns = Object.entries(definition.columns).map(([column, type]) => `${quoted(column)} ${type}`);
    const key = ['realm_id', ...definition.key.map(quoted)].join(', ');
    return (
      `CREATE TABLE ${tableName(schema, name)} (realm_id int4, ${columns.join(', ')}, last_position int8 NOT NULL, ` +
      `PRIMARY KEY (${key})) WITH (${storage(definition)})`
    );
  });
}

/** Statements that create the secondary indexes, each led by `realm_id`. Repeating them is harmless. */
export function createIndexes(projection: Projection, schema: string): string[] {
  return Object.entries(projection.tables).flatMap(([table, definition]) =>
    (definition.indexes ?? []).map((index, i) => {
      const { unique, where } = index;
      return (
        `CREATE ${unique ? 'UNIQUE ' : ''}INDEX IF NOT EXISTS ${quoted(`${table}_i${i + 1}`)} ` +
        `ON ${tableName(schema, table)} (${['realm_id', ...indexed(definition, index)].join(', ')})` +
        (where === undefined ? '' : ` WHERE ${where}`)
      );
    }),
  );
}

const indexed = (definition: TableDefinition, { on }: TableIndex): string[] =>
  on.map((part) => (part in definition.columns ? quoted(part) : `(${part})`));

/**
 * Rows that change again and again get room beside them, so that a new version of one stays on its page and no index
 * is touched. Statistics are refreshed early: tables here grow by pages of thousands.
 */
function storage({ changesOften }: TableDefinition): string {
  return `fillfactor = ${changesOften ? 70 : 95}, autovacuum_analyze_scale_factor = 0.05`;
}
