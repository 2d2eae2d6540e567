import { randomBytes } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';
import type { RealmId } from '../domain/index';

/** A secret beside the log. Undefined when there is none with this id. Never logged. */
export async function readSecret(client: Pool | ClientBase, realmId: RealmId, id: string): Promise<Buffer | undefined> {
  const { rows } = await client.query<{ value: Buffer }>({
    name: 'secret',
    text: 'SELECT value FROM secrets WHERE realm_id = $1 AND id = $2',
    values: [realmId, id],
  });
  return rows[0]?.value;
}

const KEY_BYTES = 32;

/**
 * A random key of the organization, with which it signs what it gives away. The first caller makes it. Two processes that make it at the same
 * time use the one that is stored first.
 *
 * @param id also its kind
 */
export async function keyOfRealm(pool: Pool, realmId: RealmId, id: string): Promise<Buffer> {
  const known = await readSecret(pool, realmId, id);
  if (known) return known;
  await pool.query(
    'INSERT INTO secrets (realm_id, id, kind, value) VALUES ($1, $2, $2, $3) ON CONFLICT (realm_id, id) DO NOTHING',
    [realmId, id, randomBytes(KEY_BYTES)],
  );
  const made = await readSecret(pool, realmId, id);
  if (!made) throw new Error(`the key ${id} was deleted while it was made`);
  return made;
}
