import type { FeedReader } from '@annals/kernel';
import type { ChannelId, MessageId, Position, Recorded, TopicId, UserId } from '@annals/kernel/domain';
import type { MessagesMoved, TopicEvent, TopicMoved } from '../domain/events';
import { topicAggregate } from '../domain/topic';
import { readPlaceHistory } from './place-history';

/** Which messages one fact moved, and whom they concern wherever they are. */
export interface Moved {
  /** Ascending; without those that have been deleted since. */
  readonly messageIds: readonly MessageId[];
  /** Who sent them, and whom they called by name. */
  readonly concerned: readonly UserId[];
}

/** Reads what these facts moved, by their positions. */
export async function readMoved(
  reader: FeedReader,
  events: readonly Recorded<TopicMoved | MessagesMoved>[],
): Promise<Map<Position, Moved>> {
  const moved = new Map<Position, Moved>();
  for (const event of events) {
    const messageIds =
      event.type === 'messages.MessagesMoved' ? event.data.messageIds : await readInTopic(reader, event);
    moved.set(event.position, { messageIds, concerned: await readConcerned(reader, messageIds) });
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
  const inDoubt = [...new Set([...rows.filter(({ wasMoved }) => wasMoved).map(({ id }) => id), ...gone])];
  const candidates = inDoubt.filter((id) => (id as number) < position).map((id) => ({ id, topicId }));
  const history = await readPlaceHistory(client, realmId, candidates);
  const stayed = rows.filter(({ wasMoved }) => !wasMoved).map(({ id }) => id);
  const others = candidates.filter(({ id }) => history.at(id, position)?.topicId === topicId).map(({ id }) => id);
  return [...stayed, ...others].sort((a, b) => a - b);
}

function wentFrom(topic: TopicId, event: Recorded<TopicEvent>): readonly MessageId[] {
  if (event.type === 'messages.MessagesMoved') return event.data.from.topicId === topic ? event.data.messageIds : [];
  return event.type === 'messages.TopicMoved' ? (event.data.left?.messageIds ?? []) : [];
}

async function readConcerned({ client, realmId }: FeedReader, ids: readonly MessageId[]): Promise<UserId[]> {
  const { rows } = await client.query<{ user: UserId }>({
    name: 'messages-concerned',
    text: `SELECT sender_id AS user FROM view.messages WHERE realm_id = $1 AND message_id = ANY($2::int8[])
      UNION SELECT user_id FROM view.called WHERE realm_id = $1 AND message_id = ANY($2::int8[])`,
    values: [realmId, ids],
  });
  return rows.map(({ user }) => user);
}

/**
 * Who is subscribed to a channel right after an event and was so when one of these messages came there: in a channel with
 * protected history nobody else knows of them.
 */
export async function readWitnesses(
  { client, realmId }: FeedReader,
  channel: ChannelId,
  ids: readonly MessageId[],
  position: Position,
): Promise<UserId[]> {
  const { rows } = await client.query<{ user: UserId }>({
    name: 'messages-witnesses',
    text: `SELECT DISTINCT own.user_id AS user FROM view.memberships AS own
      JOIN view.memberships AS s ON s.realm_id = own.realm_id AND s.channel_id = own.channel_id AND s.user_id = own.user_id
      WHERE own.realm_id = $1 AND own.channel_id = $2 AND own.from_position <= $4
        AND (own.to_position IS NULL OR own.to_position > $4)
        AND EXISTS (SELECT FROM view.messages AS m
          LEFT JOIN view.topics AS p ON p.realm_id = m.realm_id AND p.topic_id = m.topic_id
          WHERE m.realm_id = $1 AND m.message_id = ANY($3::int8[])
            AND s.from_position <= least($4, greatest(m.arrived, p.arrived))
            AND (s.to_position IS NULL OR least($4, greatest(m.arrived, p.arrived)) < s.to_position))`,
    values: [realmId, channel, ids, position],
  });
  return rows.map(({ user }) => user);
}
