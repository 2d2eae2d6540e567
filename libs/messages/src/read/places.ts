import type { MessageId, RealmId, UserId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import type { Place } from '../domain/events';

/** Where a message is now, whose it is, and whom it reached by name. */
export interface Placement {
  readonly senderId: UserId;
  readonly place: Place;
  /** Whom it called by name when it was sent. */
  readonly called: readonly UserId[];
}

type Stored = { readonly id: MessageId; readonly senderId: UserId; readonly called: readonly UserId[] } & (
  | { readonly conversationId: null; readonly channelId: never; readonly topicId: never; readonly userIds: null }
  | { readonly conversationId: never; readonly userIds: readonly (string | number)[] }
);

/** Reads where messages are; those that do not exist are left out. */
export async function readPlaces(
  client: Pool | ClientBase,
  realmId: RealmId,
  ids: readonly MessageId[],
): Promise<Map<MessageId, Placement>> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<Stored>({
    name: 'messages-places',
    text: `SELECT m.message_id AS id, m.sender_id AS "senderId", p.channel_id AS "channelId", m.topic_id AS "topicId",
        m.conversation_id AS "conversationId", v.user_ids AS "userIds",
        ARRAY(SELECT user_id FROM view.called AS n WHERE n.realm_id = m.realm_id AND n.message_id = m.message_id) AS called
      FROM view.messages AS m
      LEFT JOIN view.topics AS p ON p.realm_id = m.realm_id AND p.topic_id = m.topic_id
      LEFT JOIN view.conversations AS v ON v.realm_id = m.realm_id AND v.conversation_id = m.conversation_id
      WHERE m.realm_id = $1 AND m.message_id = ANY($2::int8[])`,
    values: [realmId, ids],
  });
  return new Map(rows.map((row) => [row.id, { senderId: row.senderId, place: placeOf(row), called: row.called }]));
}

function placeOf(row: Stored): Place {
  if (row.userIds !== null) {
    return { conversationId: row.conversationId, userIds: row.userIds.map((id) => Number(id) as UserId) };
  }
  return { channelId: row.channelId, topicId: row.topicId };
}
