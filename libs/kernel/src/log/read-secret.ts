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
