import type { ClientBase, Pool } from 'pg';
import { isUndefinedTable } from '../../database/sql-states';
import type { Position, RealmId } from '../../domain/index';

/** The newest position that a read model, a reader or a queue knows. */
export interface KnownPosition {
  /** As an operator knows it: the name of a follower, a table. */
  readonly who: string;
  readonly position: Position;
}

/** Reads the newest position that a context's state knows in a realm; null for none. */
export type KnownBeside = (client: Pool | ClientBase, realmId: RealmId) => Promise<KnownPosition | null>;

/**
 * Who of all that is derived from a realm's log, or points into it, knows the newest position. While the log is whole
 * nobody knows more than the head, so this tells of events that were cut off together with the head's row.
 *
 * @param beside what contexts keep
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

/** All realms that the log or its followers know, whether or not the row of their head still exists. */
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

/** Every table of every version that is live, whatever this code knows of it; each once, as the log was. */
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

/** @param table as SQL names it */
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
