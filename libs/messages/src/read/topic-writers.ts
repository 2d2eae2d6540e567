import type { MessageId, RealmId, UserId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';

/** Who had written in the topics of these messages, up to each (contract/messages.md section 1, participants). */
export async function topicWriters(
  client: Pool | ClientBase,
  realmId: RealmId,
  ids: readonly MessageId[],
): Promise<Map<MessageId, ReadonlySet<UserId>>> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<{ message_id: MessageId; writers: UserId[] }>({
    name: 'messages-topic-writers',
    text: `SELECT m.message_id, array_agg(DISTINCT w.sender_id) AS writers FROM view.messages AS m
      JOIN view.messages AS w ON w.realm_id = m.realm_id AND w.topic_id = m.topic_id AND w.message_id <= m.message_id
      WHERE m.realm_id = $1 AND m.message_id = ANY($2::int8[]) GROUP BY m.message_id`,
    values: [realmId, ids],
  });
  return new Map(rows.map((row) => [row.message_id, new Set(row.writers)]));
}
