import type { RealmId, UserId } from '@annals/kernel/domain';
import { Role } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';

/** Ids of the active people who are owners of the organization, ascending. */
export async function readOwners(client: Pool | ClientBase, realmId: RealmId): Promise<UserId[]> {
  const { rows } = await client.query<{ user_id: UserId }>({
    name: 'users-owners',
    text: `SELECT user_id FROM view.users WHERE realm_id = $1 AND role = ${Role.owner} AND is_active AND bot_type IS NULL
      ORDER BY user_id`,
    values: [realmId],
  });
  return rows.map((row) => row.user_id);
}
