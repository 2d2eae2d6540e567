import type { ClientBase, Pool } from 'pg';
import { isUndefinedTable } from '../../database/sql-states';
import type { Position, RealmId } from '../../domain/index';

/** The newest position that a read model, a reader or a queue knows. */
export interface KnownPosition {
  /** The name that an operator knows: of a follower, or of a table. */
  readonly who: string;
  readonly position: Position;
}

/** Reads the newest position in the state of a context in a realm. Null for none. */
export type KnownBeside = (client: Pool | ClientBase, realmId: RealmId) => Promise<KnownPosition | null>;

/**
 * The newest position that state derived from a realm's log, or pointing into it, contains, and where. In an intact log
 * none is beyond the head, so this reveals events that were cut off together with the head's row.
 *
 * @param beside the state of contexts beside the log
 * @returns null when no position is known
 */
export async function newestKnown(
  client: Pool | ClientBase,
  realmId: RealmId,
  beside: readonly KnownBeside[],
): Promise<KnownPosition | null> {
  let newest: KnownPosition | null = null;
  for (const known of [storedEvents, followers, readModels, ...beside]) {
    const one = await known(client, realmId);
    if (one && one.position > (newest?.position ?? 0)) newest = one;
  }
  return newest;
}

/** All realms in the log or in the state of its followers, whether or not the row of their head still exists. */
export async function realmsKnown(client: Pool | ClientBase): Promise<RealmId[]> {
  const { rows } = await client.query<{ realm_id: RealmId }>(
    `WITH RECURSIVE stored(realm_id) AS (
       SELECT min(realm_id) FROM events
       UNION ALL SELECT (SELECT min(e.realm_id) FROM events e WHERE e.realm_id > s.realm_id) FROM stored s
       WHERE s.realm_id IS NOT NULL)
     SELECT realm_id FROM stored WHERE realm_id IS NOT NULL
     UNION SELECT realm_id FROM realm_heads UNION SELECT realm_id FROM projection_checkpoints ORDER BY 1`,
  );
  return rows.map(({ realm_id }) => realm_id);
}

const storedEvents: KnownBeside = (client, realmId) => newestIn(client, realmId, 'events', 'position');

const followers: KnownBeside = async (client, realmId) => {
  const { rows } = await client.query<KnownPosition>(
    `SELECT 'the follower ' || projection AS who, position FROM projection_checkpoints
     WHERE realm_id = $1 ORDER BY position DESC LIMIT 1`,
    [realmId],
  );
  return rows[0] ?? null;
};

/** Every table of every live version, whether or not this code knows it. */
const readModels: KnownBeside = async (client, realmId) => {
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_namespace n
     JOIN pg_class c ON c.relnamespace = n.oid AND c.relkind = 'r'
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'last_position'
     WHERE n.nspname LIKE 'view\\_%' ORDER BY 1`,
  );
  let newest: KnownPosition | null = null;
  for (const { name } of tables) {
    const one = await newestIn(client, realmId, name, 'last_position');
    if (one && one.position > (newest?.position ?? 0)) newest = one;
  }
  return newest;
};

/** @param table its name in SQL */
async function newestIn(
  client: Pool | ClientBase,
  realmId: RealmId,
  table: string,
  column: string,
): Promise<KnownPosition | null> {
  try {
    const { rows } = await client.query<{ position: Position | null }>(
      `SELECT max(${column}) AS position FROM ${table} WHERE realm_id = $1`,
      [realmId],
    );
    const position = rows[0]?.position ?? null;
    return position === null ? null : { who: `the table ${table}`, position };
  } catch (error) {
    // A version that no process uses may be dropped meanwhile.
    if (isUndefinedTable(error)) return null;
    throw error;
  }
}
