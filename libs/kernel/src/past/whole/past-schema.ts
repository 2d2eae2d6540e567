import type { ClientBase, Pool } from 'pg';
import type { Instant, Position, RealmId } from '../../domain/index';
import type { Projection } from '../../projections/definition/define';
import { createTables, quotedIdentifier, tableName } from '../../projections/definition/tables';

/** The log of an organization up to a position, inclusive. */
export interface PastKey {
  readonly realmId: RealmId;
  readonly position: Position;
}

/** The schema of everything that the past at a position reads and writes. */
export const pastSchema = ({ realmId, position }: PastKey): string => `past_${realmId}_${position}`;

/** These read models with all their tables in the schema of a past. Without one, they are where they are live. */
export const placedIn = (projections: readonly Projection[], schema: string | undefined): readonly Projection[] =>
  schema === undefined ? projections : projections.map((projection) => ({ ...projection, schema }));

/** Read models of a past are built once, so they need no further numbers. */
export const PAST_GENERATION = 1;

/** Tables that a past reads from the live schema, or does not know. */
const NOT_COPIED = ['events', 'migrations', 'pasts'];

/**
 * Creates the schema of a past without rows of read models. Its connections have no other schema in their search path, so
 * that every statement of this code reads and writes here:
 *
 * - the log is a view of the live log up to the position, and nothing can be written through it;
 * - each other table beside the log is there with its columns and indexes, and empty: client queues, secrets, checkpoints;
 * - the head of the organization is the position;
 * - all read models count as live, in the versions of this code.
 *
 * Nothing is logged for recovery: after a crash of PostgreSQL the tables are empty, and the past is built again.
 *
 * @param client in a transaction, with the search path of the live schema
 */
export async function createPastSchema(
  client: ClientBase,
  { realmId, position }: PastKey,
  projections: readonly Projection[],
  at: Instant,
): Promise<void> {
  const tables = await tablesBesideTheLog(client);
  const copied = { live: await liveSchemaOf(client), own: pastSchema({ realmId, position }) };
  for (const ddl of [...schemaDdl({ realmId, position }, copied, tables), ...readModelDdl(projections, copied.own)])
    await client.query(ddl);
  await client.query(
    `INSERT INTO ${tableName(copied.own, 'projections')} (name, lifecycle, version, generation, changed_at)
     SELECT name, lifecycle, version, $4, $5 FROM unnest($1::text[], $2::text[], $3::int4[]) AS p(name, lifecycle, version)`,
    [
      projections.map(({ name }) => name),
      projections.map(({ lifecycle }) => lifecycle),
      projections.map(({ version }) => version),
      PAST_GENERATION,
      at,
    ],
  );
}

async function tablesBesideTheLog(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace
       AND relkind IN ('r', 'p') AND NOT relispartition AND relname <> ALL($1::text[]) ORDER BY relname`,
    [NOT_COPIED],
  );
  return rows.map(({ name }) => name);
}

interface Schemas {
  readonly live: string;
  readonly own: string;
}

function schemaDdl({ realmId, position }: PastKey, { live, own }: Schemas, tables: readonly string[]): string[] {
  const mine = (table: string) => tableName(own, table);
  const its = (table: string) => tableName(live, table);
  return [
    `CREATE SCHEMA ${quotedIdentifier(own)}`,
    `CREATE VIEW ${mine('events')} AS SELECT * FROM ${its('events')}
      WHERE realm_id = ${realmId} AND position <= ${position}`,
    `CREATE TRIGGER events_are_history INSTEAD OF INSERT OR UPDATE OR DELETE ON ${mine('events')}
      FOR EACH ROW EXECUTE FUNCTION ${its('refuse_rewriting_history')}()`,
    `CREATE VIEW ${mine('migrations')} AS SELECT * FROM ${its('migrations')}`,
    ...tables.map((name) => `CREATE UNLOGGED TABLE ${mine(name)} (LIKE ${its(name)} INCLUDING ALL)`),
    `INSERT INTO ${mine('installation')} SELECT * FROM ${its('installation')}`,
    `INSERT INTO ${mine('realm_heads')} SELECT ${realmId}, ${position}, at FROM ${its('events')}
      WHERE realm_id = ${realmId} AND position = ${position}`,
    `INSERT INTO ${mine('projections')} SELECT * FROM ${its('projections')} WHERE lifecycle = 'reader'`,
  ];
}

const readModelDdl = (projections: readonly Projection[], schema: string): string[] =>
  placedIn(projections, schema).flatMap((projection) => createTables(projection, schema, 'UNLOGGED'));

/** Whether the schema is there with its first rows, which a crash of PostgreSQL removes. */
export async function isPastThere(pool: Pool, key: PastKey): Promise<boolean> {
  const table = tableName(pastSchema(key), 'installation');
  const { rows } = await pool.query<{ there: string | null }>('SELECT to_regclass($1)::text AS there', [table]);
  if (!rows[0]?.there) return false;
  return (await pool.query(`SELECT FROM ${table}`)).rowCount === 1;
}

export async function dropPastSchema(client: ClientBase, key: PastKey): Promise<void> {
  await client.query(`DROP SCHEMA IF EXISTS ${quotedIdentifier(pastSchema(key))} CASCADE`);
}

async function liveSchemaOf(client: ClientBase): Promise<string> {
  const { rows } = await client.query<{ name: string }>('SELECT current_schema()::text AS name');
  return rows[0]?.name ?? 'public';
}
