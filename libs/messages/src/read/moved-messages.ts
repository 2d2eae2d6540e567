import type { FeedReader } from '@annals/kernel';
import type { ChannelId, MessageId, Position, Recorded, TopicId, UserId } from '@annals/kernel/domain';
import type { MessagesMoved, TopicEvent, TopicMoved } from '../domain/events';
import { topicAggregate } from '../domain/topic';
import { isChannelChanged } from './changes';
import { readPlaceHistory } from './place-history';

/** Which messages one fact moved, and whom they concern wherever they are. */
export interface Moved {
  /** Ascending; with those that have been deleted since. */
  readonly messageIds: readonly MessageId[];
  /** Who sent them, whom they called by name, and who had reacted to one without being subscribed. */
  readonly concerned: readonly UserId[];
}

/** Reads what these facts moved, by their positions. */
export async function readMoved(
  reader: FeedReader,
  events: readonly Recorded<TopicMoved | MessagesMoved>[],
): Promise<Map<Position, Moved>> {
  const moved = new Map<Position, Moved>();
  for (const event of events) {
    const isTopic = event.type === 'messages.TopicMoved';
    const messageIds = isTopic ? await readInTopic(reader, event) : event.data.messageIds;
    const from = { channelId: isTopic ? event.data.from : event.data.from.channelId, position: event.position };
    moved.set(event.position, { messageIds, concerned: await readConcerned(reader, messageIds, from) });
  }
  return moved;
}

/** What was in a topic right after it was moved: what came or went later is told by the facts that moved it. */
async function readInTopic(reader: FeedReader, { data, position }: Recorded<TopicMoved>): Promise<MessageId[]> {
  const { topicId } = data;
  const { client, realmId } = reader;
  const { rows } = await client.query<{ id: MessageId; wasMoved: boolean }>({
    name: 'messages-in-topic',
    text: `SELECT message_id AS id, was_moved AS "wasMoved" FROM view.messages
      WHERE realm_id = $1 AND topic_id = $2 AND message_id < $3`,
    values: [realmId, topicId, position],
  });
  const later = (await reader.stream(topicAggregate.stream(topicId))) as readonly Recorded<TopicEvent>[];
  const gone = later.filter((event) => event.position > position).flatMap((event) => wentFrom(topicId, event));
  const doubtful = [
    ...rows.filter(({ wasMoved }) => wasMoved).map(({ id }) => id),
    ...gone.filter((id) => (id as number) < position),
    ...(await readDeleted(reader, topicId, position)),
  ];
  const candidates = [...new Set(doubtful)].map((id) => ({ id, topicId }));
  const history = await readPlaceHistory(client, realmId, candidates);
  const stayed = rows.filter(({ wasMoved }) => !wasMoved).map(({ id }) => id);
  const others = candidates.filter(({ id }) => history.at(id, position)?.topicId === topicId).map(({ id }) => id);
  return [...stayed, ...others].sort((a, b) => a - b);
}

/** Messages that were there already, and were deleted from the topic later. */
async function readDeleted({ client, realmId }: FeedReader, topic: TopicId, position: Position): Promise<MessageId[]> {
  const { rows } = await client.query<{ id: MessageId }>({
    name: 'messages-deleted-from-topic',
    text: `SELECT message_id AS id FROM view.deleted_messages
      WHERE realm_id = $1 AND topic_id = $2 AND position > $3 AND message_id < $3`,
    values: [realmId, topic, position],
  });
  return rows.map(({ id }) => id);
}

function wentFrom(topic: TopicId, event: Recorded<TopicEvent>): readonly MessageId[] {
  if (event.type === 'messages.MessagesMoved') return event.data.from.topicId === topic ? event.data.messageIds : [];
  return event.type === 'messages.TopicMoved' ? (event.data.left?.messageIds ?? []) : [];
}

/** Who sent these messages, was called by name or had reacted by then; as the log has it, where messages are gone. */
export async function readConcerned(
  { client, realmId }: FeedReader,
  ids: readonly MessageId[],
  { channelId, position }: { readonly channelId: ChannelId; readonly position: Position },
): Promise<UserId[]> {
  if (ids.length === 0) return [];
  const { rows } = await client.query<{ user: UserId }>({
    name: 'moved-messages-concerned',
    text: `WITH moved AS (SELECT id, m.sender_id FROM unnest($2::int8[]) AS u(id)
        LEFT JOIN view.messages AS m ON m.realm_id = $1 AND m.message_id = u.id),
      gone AS (SELECT e.data FROM moved JOIN events AS e ON e.realm_id = $1 AND e.position = moved.id
        WHERE moved.sender_id IS NULL)
      SELECT sender_id::int8 AS user FROM moved WHERE sender_id IS NOT NULL
      UNION SELECT user_id::int8 FROM view.called WHERE realm_id = $1 AND message_id = ANY($2::int8[])
      UNION SELECT w.user_id::int8 FROM view.reactions AS w
        WHERE w.realm_id = $1 AND w.message_id = ANY($2::int8[]) AND w.added_position < $3::int8
          AND NOT EXISTS (SELECT FROM view.memberships AS s WHERE s.realm_id = $1 AND s.channel_id = $4::int4
            AND s.user_id = w.user_id AND s.from_position <= $3::int8
            AND (s.to_position IS NULL OR $3::int8 < s.to_position))
      UNION SELECT (data->>'senderId')::int8 FROM gone
      UNION SELECT (json_array_elements_text(data->'mentions'->'userIds'))::int8 FROM gone
      ORDER BY 1`,
    values: [realmId, ids, position, channelId],
  });
  return rows.map(({ user }) => user);
}

/**
 * Who is subscribed to a channel right after an event and was so when one of these messages came there: in a channel with
 * protected history nobody else knows of them.
 *
 * @param arrivals positions at which the messages came to the channel
 */
export async function readWitnesses(
  { client, realmId }: FeedReader,
  channel: ChannelId,
  arrivals: readonly Position[],
  position: Position,
): Promise<UserId[]> {
  const { rows } = await client.query<{ user: UserId }>({
    name: 'messages-witnesses',
    text: `SELECT DISTINCT own.user_id AS user FROM view.memberships AS own
      JOIN view.memberships AS s ON s.realm_id = own.realm_id AND s.channel_id = own.channel_id AND s.user_id = own.user_id
      WHERE own.realm_id = $1 AND own.channel_id = $2 AND own.from_position <= $4
        AND (own.to_position IS NULL OR own.to_position > $4)
        AND EXISTS (SELECT FROM unnest($3::int8[]) AS a(arrived)
          WHERE s.from_position <= a.arrived AND (s.to_position IS NULL OR a.arrived < s.to_position))
      ORDER BY 1`,
    values: [realmId, channel, arrivals, position],
  });
  return rows.map(({ user }) => user);
}

/** When messages had come to the channel where they were right after a position; those of one topic by then. */
export async function readArrivals(
  { client, realmId }: FeedReader,
  messageIds: readonly MessageId[],
  topicId: TopicId,
  position: Position,
): Promise<Map<MessageId, Position>> {
  const history = await readPlaceHistory(
    client,
    realmId,
    messageIds.map((id) => ({ id, topicId })),
  );
  return new Map(
    messageIds.map((id) => {
      const came = history.moves(id).find((move) => move.position <= position && isChannelChanged(move));
      return [id, came?.position ?? (id as number as Position)];
    }),
  );
}
