import type { MessageId, RealmId, UserId } from '@annals/kernel/domain';
import type { ClientBase } from 'pg';

/** Messages `w` of the topic of row `m`, whatever the letter case of its name, up to `m` itself. */
const IN_TOPIC_OF_M = `view.topics AS own
  JOIN view.topics AS t ON t.realm_id = own.realm_id AND t.channel_id = own.channel_id AND t.name_key = own.name_key
  JOIN view.messages AS w ON w.realm_id = t.realm_id AND w.topic_id = t.topic_id AND w.message_id <= m.message_id`;

/** Reactions `x` to those messages that were there when `m` came. */
const REACTIONS_IN_TOPIC_OF_M = `${IN_TOPIC_OF_M}
  JOIN view.reactions AS x ON x.realm_id = w.realm_id AND x.message_id = w.message_id
    AND x.added_position <= m.message_id AND (x.removed_position IS NULL OR m.message_id < x.removed_position)`;

const OWN_TOPIC = 'own.realm_id = m.realm_id AND own.topic_id = m.topic_id';

/**
 * Condition: the reader `r` took part in the topic of message `m` by then: had written there or reacted to something
 * (contract/messages.md section 1, participants).
 */
export const WROTE_IN_TOPIC_SQL = `(EXISTS (SELECT FROM ${IN_TOPIC_OF_M} WHERE ${OWN_TOPIC} AND w.sender_id = r.user_id)
  OR EXISTS (SELECT FROM ${REACTIONS_IN_TOPIC_OF_M} WHERE ${OWN_TOPIC} AND x.user_id = r.user_id))`;

/** Who took part in the topics of these messages, up to each. */
export async function topicWriters(
  client: ClientBase,
  realmId: RealmId,
  ids: readonly MessageId[],
): Promise<Map<MessageId, ReadonlySet<UserId>>> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<{ message_id: MessageId; writers: UserId[] }>({
    name: 'messages-topic-writers',
    text: `SELECT m.message_id, array_agg(p.user_id) AS writers
      FROM view.messages AS m CROSS JOIN LATERAL (
        SELECT w.sender_id AS user_id FROM ${IN_TOPIC_OF_M} WHERE ${OWN_TOPIC}
        UNION SELECT x.user_id FROM ${REACTIONS_IN_TOPIC_OF_M} WHERE ${OWN_TOPIC}) AS p
      WHERE m.realm_id = $1 AND m.message_id = ANY($2::int8[]) GROUP BY m.message_id`,
    values: [realmId, ids],
  });
  return new Map(rows.map((row) => [row.message_id, new Set(row.writers)]));
}
