import type { RealmId, UserId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';

/** Those of the accounts whose mails come back. */
export async function readBouncing(
  client: Pool | ClientBase,
  realmId: RealmId,
  userIds: readonly UserId[],
): Promise<ReadonlySet<UserId>> {
  const { rows } = await client.query<{ id: UserId }>({
    name: 'mail-bouncing',
    text: 'SELECT user_id AS id FROM view.bouncing_addresses WHERE realm_id = $1 AND user_id = ANY($2::int4[])',
    values: [realmId, userIds],
  });
  return new Set(rows.map(({ id }) => id));
}
