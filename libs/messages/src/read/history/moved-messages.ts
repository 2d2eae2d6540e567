import type { FeedReader } from '@annals/kernel';
import type { MessageId, Position, Recorded, Span, TopicId } from '@annals/kernel/domain';
import { ascending, covers, grouped } from '@annals/kernel/domain';
import type { MessagesMoved, TopicEvent, TopicMoved } from '../../domain/events';
import { topicAggregate } from '../../domain/topic';
import type { Recipients } from './recipients';
import { readHistoricRecipients } from './recipients';
import { readPlacements } from './timeline/placements';

/** The messages that one event moved, and the users who had copies of them. */
export interface MovedMessages extends Recipients {
  /** Ascending, deleted messages included. */
  readonly messageIds: readonly MessageId[];
}

const NOBODY: Recipients = { users: [], sentTo: new Map() };

/** Reads what these events moved, by their positions; events that moved the same messages share one list. */
export async function readMovedMessages(
  reader: FeedReader,
  events: readonly Recorded<TopicMoved | MessagesMoved>[],
): Promise<Map<Position, MovedMessages>> {
  const movedIds = await readMovedIds(reader, events);
  const changes = events.map((event) => ({
    messageIds: movedIds.get(event.position) ?? [],
    channelId: isOfTopic(event) ? event.data.from : event.data.from.channelId,
    position: event.position,
  }));
  const recipients = await readHistoricRecipients(reader, changes);
  return new Map(
    changes.map(({ messageIds, position }, n) => [position, { ...(recipients[n] ?? NOBODY), messageIds }]),
  );
}

/**
 * Reads which messages these events moved, by their positions; ascending, deleted messages included.
 *
 * @param events in order
 */
export async function readMovedIds(
  reader: FeedReader,
  events: readonly Recorded<TopicMoved | MessagesMoved>[],
): Promise<ReadonlyMap<Position, readonly MessageId[]>> {
  const moved = new Map<Position, readonly MessageId[]>();
  for (const event of events) if (!isOfTopic(event)) moved.set(event.position, event.data.messageIds);
  const whole = grouped(events.filter(isOfTopic), ({ data }) => data.topicId);
  for (const [topicId, moves] of whole) {
    const positions = moves.map(({ position }) => position);
    for (const [position, ids] of await readInTopic(reader, topicId, positions)) moved.set(position, ids);
  }
  return moved;
}

const isOfTopic = (event: Recorded<TopicMoved | MessagesMoved>): event is Recorded<TopicMoved> =>
  event.type === 'messages.TopicMoved';

/** Messages that may have been in a topic. */
interface Contents {
  /** Messages that were sent to the topic and are still in it; ascending. */
  readonly stayed: readonly MessageId[];
  /** Messages that were moved to the topic, or are not in it any more. */
  readonly doubtful: readonly MessageId[];
  /** Whether a doubtful message was in the topic right after the event at a position. */
  readonly wasThere: (message: MessageId, position: Position) => boolean;
}

/**
 * Reads which messages were in a topic right after each of its moves.
 *
 * @param positions ascending, at least one
 */
async function readInTopic(
  reader: FeedReader,
  topicId: TopicId,
  positions: readonly Position[],
): Promise<Map<Position, readonly MessageId[]>> {
  const { stayed, doubtful, wasThere } = await readContents(reader, topicId, positions);
  let known = { count: 0, others: [] as readonly MessageId[], ids: [] as readonly MessageId[] };
  const inTopic = new Map<Position, readonly MessageId[]>();
  for (const position of positions) {
    const count = stayed.findLastIndex((id) => (id as number) < position) + 1;
    const others = doubtful.filter((id) => wasThere(id, position));
    if (known.count !== count || !isSame(known.others, others)) {
      known = { count, others, ids: ascending([...stayed.slice(0, count), ...others]) };
    }
    inTopic.set(position, known.ids);
  }
  return inTopic;
}

async function readContents(reader: FeedReader, topicId: TopicId, positions: readonly Position[]): Promise<Contents> {
  const { client, realmId } = reader;
  const [first, last] = [positions[0] ?? (0 as Position), positions.at(-1) ?? (0 as Position)];
  const { rows } = await client.query<{ wasMoved: boolean; ids: string }>({
    name: 'messages-in-topic',
    // Few large values: so many rows would take longer to read.
    text: `SELECT was_moved AS "wasMoved", json_agg(message_id)::text AS ids FROM view.messages
      WHERE realm_id = $1 AND topic_id = $2 AND message_id < $3 GROUP BY was_moved`,
    values: [realmId, topicId, last],
  });
  const idsOf = (moved: boolean) =>
    rows.filter(({ wasMoved }) => wasMoved === moved).flatMap(({ ids }) => JSON.parse(ids) as MessageId[]);
  const later = (await reader.stream(topicAggregate.stream(topicId))) as readonly Recorded<TopicEvent>[];
  const left = later.filter((event) => event.position > first).flatMap((event) => movedOut(topicId, event));
  const absences = await readAbsences(reader, topicId, first, last);
  // A message that left the topic while this was read is found in both ways.
  const doubtful = new Set([...idsOf(true), ...left, ...absences.keys()]);
  const placements = await readPlacements(client, realmId, [...doubtful]);
  return {
    stayed: ascending(idsOf(false).filter((id) => !doubtful.has(id))),
    doubtful: [...doubtful],
    wasThere: (id, position) =>
      placements.topicAt(id, position) === topicId && !covers(absences.get(id) ?? [], position),
  };
}

const isSame = (one: readonly MessageId[], other: readonly MessageId[]): boolean =>
  one.length === other.length && one.every((id, n) => id === other[n]);

/** Reads when messages of a topic that were sent before the last position were deleted, unless they were restored before the first. */
async function readAbsences(
  { client, realmId }: FeedReader,
  topicId: TopicId,
  first: Position,
  last: Position,
): Promise<ReadonlyMap<MessageId, readonly Span[]>> {
  const { rows } = await client.query<Span & { id: MessageId }>({
    name: 'messages-deleted-from-topic',
    text: `SELECT message_id AS id, position AS from, until AS to FROM view.deleted_messages
      WHERE realm_id = $1 AND topic_id = $2 AND (position > $3 OR until > $3) AND message_id < $4`,
    values: [realmId, topicId, first, last],
  });
  return grouped(rows, ({ id }) => id);
}

function movedOut(topic: TopicId, event: Recorded<TopicEvent>): readonly MessageId[] {
  if (event.type === 'messages.MessagesMoved') return event.data.from.topicId === topic ? event.data.messageIds : [];
  return event.type === 'messages.TopicMoved' ? (event.data.left?.messageIds ?? []) : [];
}
