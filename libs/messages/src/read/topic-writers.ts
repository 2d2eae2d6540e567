import type { MessageId, RealmId, UserId } from '@annals/kernel/domain';
import type { ClientBase } from 'pg';

/** Messages `w` of the topic of row `m`, whatever the letter case of its name, up to `m` itself. */
const IN_TOPIC_OF_M = `view.topics AS own
  JOIN view.topics AS t ON t.realm_id = own.realm_id AND t.channel_id = own.channel_id AND t.name_key = own.name_key
  JOIN view.messages AS w ON w.realm_id = t.realm_id AND w.topic_id = t.topic_id AND w.message_id <= m.message_id`;

/**
 * Condition: the reader `r` had written in the topic of message `m` by then (contract/messages.md section 1,
 * participants).
 */
export const WROTE_IN_TOPIC_SQL = `EXISTS (SELECT FROM ${IN_TOPIC_OF_M}
  WHERE own.realm_id = m.realm_id AND own.topic_id = m.topic_id AND w.sender_id = r.user_id)`;

/** Who had written in the topics of these messages, up to each. */
export async function topicWriters(
  client: ClientBase,
  realmId: RealmId,
  ids: readonly MessageId[],
): Promise<Map<MessageId, ReadonlySet<UserId>>> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<{ message_id: MessageId; writers: UserId[] }>({
    name: 'messages-topic-writers',
    text: `SELECT m.message_id, array_agg(DISTINCT w.sender_id) AS writers
      FROM view.messages AS m CROSS JOIN LATERAL (SELECT w.sender_id FROM ${IN_TOPIC_OF_M}
        WHERE own.realm_id = m.realm_id AND own.topic_id = m.topic_id) AS w
      WHERE m.realm_id = $1 AND m.message_id = ANY($2::int8[]) GROUP BY m.message_id`,
    values: [realmId, ids],
  });
  return new Map(rows.map((row) => [row.message_id, new Set(row.writers)]));
}
