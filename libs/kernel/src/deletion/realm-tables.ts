import type { ClientBase, Pool } from 'pg';
import { quotedIdentifier } from '../projections/definition/tables';
import type { RealmId } from '../domain/index';

/** Rows that one statement deletes. */
const SLICE = 5_000;
/** The only table that keeps the number of an organization. */
const TOMBSTONES = 'deleted_realms';

/** A table with rows of organizations. */
export interface RealmTable {
  readonly schema: string;
  readonly name: string;
}

const nameOf = ({ schema, name }: RealmTable): string => `${quotedIdentifier(schema)}.${quotedIdentifier(name)}`;

/**
 * Every table with rows of organizations, by the catalogue, so that a table that somebody adds is among them: those of the
 * migrations, and those of read models in every version. Of a partitioned table, its partitions.
 */
export async function realmTables(client: ClientBase | Pool): Promise<RealmTable[]> {
  const { rows } = await client.query<RealmTable>(
    `SELECT n.nspname AS schema, c.relname AS name FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
     JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attname = 'realm_id' AND NOT a.attisdropped
     WHERE c.relkind = 'r' AND c.relpersistence <> 't' AND c.relname <> $1
       AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
     ORDER BY n.nspname, c.relname`,
    [TOMBSTONES],
  );
  return rows;
}

/** How many rows of an organization a table has. */
export async function countRows(client: ClientBase | Pool, table: RealmTable, realmId: RealmId): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*) AS count FROM ${nameOf(table)} WHERE realm_id = $1`,
    [realmId],
  );
  return Number(rows[0]?.count ?? 0);
}

/** Deletes the rows of an organization, some at a time, so that no statement takes long. @returns how many there were */
export async function deleteRows(pool: Pool, table: RealmTable, realmId: RealmId): Promise<number> {
  const name = nameOf(table);
  let deleted = 0;
  for (;;) {
    const { rowCount } = await pool.query(
      `DELETE FROM ${name} WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${name} WHERE realm_id = $1 LIMIT ${SLICE}))`,
      [realmId],
    );
    deleted += rowCount ?? 0;
    if ((rowCount ?? 0) < SLICE) return deleted;
  }
}
