import type { FeedReader } from '@annals/kernel';
import type { MessageId, Position, Recorded, TopicId } from '@annals/kernel/domain';
import type { MessagesMoved, TopicEvent, TopicMoved } from '../domain/events';
import { topicAggregate } from '../domain/topic';
import { isChannelChanged } from './changes';
import type { Copies } from './copies';
import { readCopies } from './copies';
import { readPlaceHistory } from './place-history';

/** Which messages one fact moved, and who had them wherever they were. */
export interface Moved extends Copies {
  /** Ascending; with those that have been deleted since. */
  readonly messageIds: readonly MessageId[];
}

const NO_COPIES: Copies = { concerned: [], sentTo: new Map() };

/** Reads what these facts moved, by their positions. */
export async function readMoved(
  reader: FeedReader,
  events: readonly Recorded<TopicMoved | MessagesMoved>[],
): Promise<Map<Position, Moved>> {
  const happened = [];
  for (const event of events) {
    const isTopic = event.type === 'messages.TopicMoved';
    const messageIds = isTopic ? await readInTopic(reader, event) : event.data.messageIds;
    const channelId = isTopic ? event.data.from : event.data.from.channelId;
    happened.push({ messageIds, channelId, position: event.position });
  }
  const copies = await readCopies(reader, happened);
  return new Map(
    happened.map(({ messageIds, position }, n) => [position, { ...(copies[n] ?? NO_COPIES), messageIds }]),
  );
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
  // Who left while this was read is found in both ways.
  return [...new Set([...stayed, ...others])].sort((a, b) => a - b);
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

/** When messages had come to the channel where they were right after a position. */
export type Arrivals = (messageIds: readonly MessageId[], position: Position) => Map<MessageId, Position>;

/**
 * Reads when messages came to channels.
 *
 * @param messages each with the topic where it was at any of the positions that are asked about
 */
export async function readArrivals(
  { client, realmId }: FeedReader,
  messages: readonly { readonly id: MessageId; readonly topicId: TopicId }[],
): Promise<Arrivals> {
  const history = await readPlaceHistory(client, realmId, messages);
  return (messageIds, position) =>
    new Map(
      messageIds.map((id) => {
        const came = history.moves(id).find((move) => move.position <= position && isChannelChanged(move));
        return [id, came?.position ?? (id as number as Position)];
      }),
    );
}
