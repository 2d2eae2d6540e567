import type { MessageId, RealmId, UserId } from '@annals/kernel/domain';
import type { Pool } from 'pg';
import { PLACE_JOIN, CAME_SQL } from './visibility';

/** Those of the subscribers of a message's channel who can read it: where history is protected, whom it reached. */
export async function readersAmong(
  pool: Pool,
  realmId: RealmId,
  messageId: MessageId,
  subscribers: readonly UserId[],
): Promise<UserId[]> {
  const { rows } = await pool.query<{ user_id: UserId }>({
    name: 'messages-readers-among',
    text: `SELECT r.user_id FROM unnest($3::int8[]) AS r(user_id) CROSS JOIN view.messages AS m ${PLACE_JOIN}
      WHERE m.realm_id = $1 AND m.message_id = $2 AND (c.history_public_to_subscribers OR ${CAME_SQL})`,
    values: [realmId, messageId, subscribers],
  });
  return rows.map((row) => row.user_id);
}
