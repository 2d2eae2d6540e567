import type { MessageId, RealmId, UserId } from '@annals/kernel/domain';
import type { Pool } from 'pg';
import { PLACE_JOIN, ARRIVED_FOR_READER_SQL } from './visibility';

/** The subscribers of a message's channel who can read it. Where history is protected, it must have arrived for them. */
export async function readersAmong(
  pool: Pool,
  realmId: RealmId,
  messageId: MessageId,
  subscribers: readonly UserId[],
): Promise<UserId[]> {
  const { rows } = await pool.query<{ user_id: UserId }>({
    name: 'messages-readers-among',
    text: `SELECT r.user_id FROM unnest($3::int8[]) AS r(user_id) CROSS JOIN view.messages AS m ${PLACE_JOIN}
      WHERE m.realm_id = $1 AND m.message_id = $2 AND (c.history_public_to_subscribers OR ${ARRIVED_FOR_READER_SQL})`,
    values: [realmId, messageId, subscribers],
  });
  return rows.map((row) => row.user_id);
}
