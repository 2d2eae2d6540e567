import { READER, readerValues } from '@annals/channels';
import type { Actor, ChannelId, ConversationId, MessageId, RealmId, TopicId } from '@annals/kernel/domain';
import type { UserId } from '@annals/kernel/domain';
import type { Pool } from 'pg';
import type { Deletable } from '../../domain/deletion';
import type { OrphanedOrder } from './orphaned-orders';
import { ARRIVED_SQL, PLACE_JOIN, VISIBLE_SQL } from '../visibility/visibility';

type Stored = Omit<Deletable, 'place'> & {
  readonly channelId: ChannelId;
  readonly topicId: TopicId;
  readonly conversationId: ConversationId;
  /** Of a direct message. */
  readonly userIds: readonly (string | number)[] | null;
};

const COLUMNS = `m.message_id AS id, m.sender_id AS "senderId", m.sent_at AS "sentAt", ${ARRIVED_SQL} AS arrived,
  p.channel_id AS "channelId", m.topic_id AS "topicId", m.conversation_id AS "conversationId", v.user_ids AS "userIds"`;
const CONVERSATION_JOIN = `LEFT JOIN view.conversations AS v
  ON v.realm_id = m.realm_id AND v.conversation_id = m.conversation_id`;

/** One message; undefined when it does not exist. */
export async function readDeletable(pool: Pool, realmId: RealmId, id: MessageId): Promise<Deletable | undefined> {
  const { rows } = await pool.query<Stored>({
    name: 'messages-deletable',
    text: `SELECT ${COLUMNS} FROM view.messages AS m ${PLACE_JOIN} ${CONVERSATION_JOIN}
      WHERE m.realm_id = $1 AND m.message_id = $2::int8`,
    values: [realmId, id],
  });
  return rows.map(asDeletable)[0];
}

/** The newest messages of some topics that a reader can see, ascending. */
export async function newestDeletable(
  pool: Pool,
  by: Actor,
  topics: readonly TopicId[],
  limit: number,
): Promise<Deletable[]> {
  // Ordered as pairs, so that the index by topic and message gives the newest of each topic first.
  const { rows } = await pool.query<Stored>({
    name: 'messages-deletable-of-topics',
    text: `SELECT found.* FROM ${READER} CROSS JOIN unnest($6::int8[]) AS t(topic_id)
      CROSS JOIN LATERAL (SELECT ${COLUMNS} FROM view.messages AS m ${PLACE_JOIN} ${CONVERSATION_JOIN}
        WHERE m.realm_id = $1 AND m.topic_id = t.topic_id AND ${VISIBLE_SQL}
        ORDER BY m.topic_id DESC, m.message_id DESC LIMIT $7) AS found
      ORDER BY found.id DESC LIMIT $7`,
    values: [...readerValues(by), topics, limit],
  });
  return rows.map(asDeletable).reverse();
}

/** The newest messages that an order of a deleted account applies to, ascending, in any places. */
export async function newestOrphaned(pool: Pool, order: OrphanedOrder, limit: number): Promise<Deletable[]> {
  const { realmId, senderId, position, inPublicChannels, inPrivateChannels, direct } = order;
  const { rows } = await pool.query<Stored>({
    name: 'messages-deletable-orphaned',
    text: `SELECT ${COLUMNS} FROM view.messages AS m ${PLACE_JOIN} ${CONVERSATION_JOIN}
      WHERE m.realm_id = $1 AND m.sender_id = $2::int4 AND m.message_id < $3
        AND CASE WHEN m.conversation_id IS NOT NULL THEN $6::bool WHEN c.invite_only THEN $5::bool ELSE $4::bool END
      ORDER BY m.sender_id DESC, m.message_id DESC LIMIT $7`,
    values: [realmId, senderId, position, inPublicChannels, inPrivateChannels, direct, limit],
  });
  return rows.map(asDeletable).reverse();
}

/** The newest message of a topic except some; undefined when there is none. */
export async function newestRemaining(
  pool: Pool,
  realmId: RealmId,
  topic: TopicId,
  ids: readonly MessageId[],
): Promise<MessageId | undefined> {
  const { rows } = await pool.query<{ id: MessageId }>({
    name: 'messages-newest-beside',
    text: `SELECT m.message_id AS id FROM view.messages AS m
      WHERE m.realm_id = $1 AND m.topic_id = $2::int4 AND m.message_id <> ALL($3::int8[])
      ORDER BY m.topic_id DESC, m.message_id DESC LIMIT 1`,
    values: [realmId, topic, ids],
  });
  return rows[0]?.id;
}

function asDeletable({ channelId, topicId, conversationId, userIds, ...message }: Stored): Deletable {
  if (userIds === null) return { ...message, place: { channelId, topicId } };
  return { ...message, place: { conversationId, userIds: userIds.map((id) => Number(id) as UserId) } };
}
