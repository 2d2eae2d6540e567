import type { ChannelId, ConversationId, MessageId, Position, RealmId, TopicId, UserId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import type { Place } from '../../domain/events';
import { sentData } from '../../domain/message/stored-data';
import { readPlacements } from './timeline/placements';

/** A message with the place where it was. */
export interface PlacedMessage {
  readonly senderId: UserId;
  readonly place: Place;
  /** Users whom it mentioned by name when it was sent. */
  readonly mentioned: readonly UserId[];
  /** The channel it was sent to; null for a direct message. */
  readonly sentTo: ChannelId | null;
}

/** The places where messages are and were. */
export interface Places {
  /** Undefined for a message that does not exist, or was deleted. */
  now(message: MessageId): PlacedMessage | undefined;
  /** Right after the event at a position, also of a message that was deleted later. */
  at(message: MessageId, position: Position): PlacedMessage | undefined;
}

type Stored = {
  readonly id: MessageId;
  readonly senderId: UserId;
  readonly mentioned: readonly UserId[];
  readonly sentTo: ChannelId | null;
  readonly wasMoved: boolean;
} & (
  | { readonly channelId: ChannelId; readonly topicId: TopicId; readonly userIds: null }
  | { readonly conversationId: ConversationId; readonly userIds: readonly (string | number)[] }
);

/** Reads the places of messages. */
export async function readPlaces(
  client: Pool | ClientBase,
  realmId: RealmId,
  ids: readonly MessageId[],
): Promise<Places> {
  if (ids.length === 0) return { now: () => undefined, at: () => undefined };
  const { rows } = await client.query<Stored>({
    name: 'messages-places',
    text: `SELECT m.message_id AS id, m.sender_id AS "senderId", p.channel_id AS "channelId", m.topic_id AS "topicId",
        m.sent_channel_id AS "sentTo", m.conversation_id AS "conversationId", v.user_ids AS "userIds",
        m.was_moved OR coalesce(p.was_moved, false) AS "wasMoved",
        ARRAY(SELECT user_id FROM view.mentioned_when_sent AS n WHERE n.realm_id = m.realm_id AND n.message_id = m.message_id) AS mentioned
      FROM view.messages AS m
      LEFT JOIN view.topics AS p ON p.realm_id = m.realm_id AND p.topic_id = m.topic_id
      LEFT JOIN view.conversations AS v ON v.realm_id = m.realm_id AND v.conversation_id = m.conversation_id
      WHERE m.realm_id = $1 AND m.message_id = ANY($2::int8[])`,
    values: [realmId, ids],
  });
  const known = new Map(rows.map((row) => [row.id, row]));
  const deleted = await readDeletedPlaces(
    client,
    realmId,
    ids.filter((id) => !known.has(id)),
  );
  const moved = rows.flatMap((row) => (row.wasMoved && row.userIds === null ? row.id : []));
  const placements = await readPlacements(client, realmId, [...moved, ...deleted.keys()]);
  const now = (id: MessageId): PlacedMessage | undefined => {
    const row = known.get(id);
    return row && { senderId: row.senderId, mentioned: row.mentioned, sentTo: row.sentTo, place: placeOf(row) };
  };
  return {
    now,
    at: (id, position) => {
      const placement = now(id) ?? deleted.get(id);
      const [channelId, topicId] = [placements.channelAt(id, position), placements.topicAt(id, position)];
      return placement && channelId && topicId ? { ...placement, place: { channelId, topicId } } : placement;
    },
  };
}

/** Reads deleted messages from the log, in the places that they were sent to. */
export async function readDeletedPlaces(
  client: Pool | ClientBase,
  realmId: RealmId,
  ids: readonly MessageId[],
): Promise<Map<MessageId, PlacedMessage>> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<{ id: MessageId; data: string }>({
    name: 'messages-deleted-places',
    text: `SELECT position AS id, data::text AS data FROM events
      WHERE realm_id = $1 AND position = ANY($2::int8[]) AND type = 'messages.MessageSent'`,
    values: [realmId, ids],
  });
  const sent = rows.map(({ id, data }) => [id, sentData(data)] as const);
  return new Map(
    sent.map(([id, { place, senderId, mentions }]) => {
      const sentTo = 'channelId' in place ? place.channelId : null;
      return [id, { place, senderId, mentioned: mentions.userIds, sentTo }];
    }),
  );
}

function placeOf(row: Stored): Place {
  if (row.userIds !== null) {
    return { conversationId: row.conversationId, userIds: row.userIds.map((id) => Number(id) as UserId) };
  }
  return { channelId: row.channelId, topicId: row.topicId };
}
