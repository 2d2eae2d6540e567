import type { ChannelId, Instant, MessageId, Position, RealmId, TopicId, UserId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import type { MessagesMoved, TopicMoved, TopicStarted } from '../../domain/events';
import { topicAggregate } from '../../domain/topic';
import { erasedTopic } from '../placement/places.view';

/** A topic as it was called, where it was. */
export interface NamedPlace {
  readonly channelId: ChannelId;
  readonly topicId: TopicId;
  readonly topic: string;
}

/** That one message came from one place to another, by itself or with its topic. */
export interface Move {
  readonly position: Position;
  readonly at: Instant;
  readonly by: UserId | null;
  readonly commandId: string;
  readonly from: NamedPlace;
  readonly to: NamedPlace;
}

/** Where messages were at any time. */
export interface PlaceHistory {
  /** Right after the event at a position; undefined before the message was sent. */
  at(message: MessageId, position: Position): NamedPlace | undefined;
  /** The same, of the topic alone. */
  topicAt(message: MessageId, position: Position): TopicId | undefined;
  /** When it had come to the channel where it was right after the event at a position, by itself or with its topic. */
  arrival(message: MessageId, position: Position): Position;
  /** Newest first. */
  moves(message: MessageId): readonly Move[];
}

/** What topics were called, and where they were, at any time. */
export type TopicHistory = (topic: TopicId, position: Position) => NamedPlace | undefined;

/** From one position on, a message was in this topic. */
interface Stay {
  readonly since: Position;
  readonly topicId: TopicId;
}

/** Of messages that stayed where they were sent, nothing need be read. */
const NEVER_MOVED: PlaceHistory = {
  at: () => undefined,
  topicAt: () => undefined,
  arrival: (message) => message as number as Position,
  moves: () => [],
};

/** Reads where messages have been; asked only for those that were moved, or whose topics were. */
export async function readPlaceHistory(
  client: Pool | ClientBase,
  realmId: RealmId,
  messages: readonly { readonly id: MessageId; readonly topicId: TopicId }[],
): Promise<PlaceHistory> {
  if (messages.length === 0) return NEVER_MOVED;
  const moved = await readOwnMoves(client, realmId, messages);
  const stays = new Map(messages.map((message) => [message.id, staysOf(message, moved)]));
  const topics = await readNamings(
    client,
    realmId,
    [...stays.values()].flat().map(({ topicId }) => topicId),
  );
  const place = placeBy(topics);
  const topicAt = (message: MessageId, position: Position) =>
    stays.get(message)?.findLast(({ since }) => since <= position)?.topicId;
  return {
    at: (message, position) => {
      const topicId = topicAt(message, position);
      return topicId && place(topicId, position);
    },
    topicAt,
    arrival: arrivalBy(stays, moved, topics, place),
    moves: (message) => movesOf(stays.get(message) ?? [], moved, topics, place),
  };
}

/** Reads what topics were called, and where they were. */
export const readTopicHistory = async (
  client: Pool | ClientBase,
  realmId: RealmId,
  topics: readonly TopicId[],
): Promise<TopicHistory> => placeBy(await readNamings(client, realmId, topics));

/** That messages went from one topic to another; those of a topic that moved away stayed where they were. */
interface OwnMove {
  readonly position: Position;
  readonly at: Instant;
  readonly by: UserId | null;
  readonly commandId: string;
  readonly from: TopicId;
  readonly to: TopicId;
  readonly stayed: boolean;
}

interface OwnMoves {
  readonly of: ReadonlyMap<MessageId, readonly Position[]>;
  readonly at: ReadonlyMap<Position, OwnMove>;
}

async function readOwnMoves(
  client: Pool | ClientBase,
  realmId: RealmId,
  messages: readonly { readonly id: MessageId }[],
): Promise<OwnMoves> {
  const { rows } = await client.query<{ id: MessageId; positions: (string | number)[] }>({
    name: 'messages-own-moves',
    text: `SELECT message_id AS id, array_agg(position ORDER BY position) AS positions FROM view.message_moves
      WHERE realm_id = $1 AND message_id = ANY($2::int8[]) GROUP BY message_id`,
    values: [realmId, messages.map(({ id }) => id)],
  });
  const of = new Map(rows.map(({ id, positions }) => [id, positions.map(Number) as Position[]]));
  if (of.size === 0) return { of, at: new Map() };
  const { rows: events } = await client.query<Omit<OwnMove, 'from' | 'to' | 'stayed'> & { data: string }>({
    name: 'messages-move-events',
    text: `SELECT position, at, actor_id AS by, command_id AS "commandId", data::text AS data FROM events
      WHERE realm_id = $1 AND position = ANY($2::int8[])`,
    values: [realmId, [...new Set([...of.values()].flat())]],
  });
  return { of, at: new Map(events.map(({ data, ...event }) => [event.position, { ...event, ...wayOf(data) }])) };
}

function wayOf(json: string): Pick<OwnMove, 'from' | 'to' | 'stayed'> {
  const data = JSON.parse(json) as MessagesMoved['data'] | TopicMoved['data'];
  if ('messageIds' in data) return { from: data.from.topicId, to: data.to.topicId, stayed: false };
  return { from: data.topicId, to: data.left?.topicId ?? data.topicId, stayed: true };
}

function staysOf({ id, topicId }: { id: MessageId; topicId: TopicId }, moved: OwnMoves): Stay[] {
  const sent = id as number as Position;
  const moves = (moved.of.get(id) ?? []).flatMap((position) => moved.at.get(position) ?? []);
  const first: Stay = { since: sent, topicId: moves[0]?.from ?? topicId };
  return [first, ...moves.map(({ position, to }) => ({ since: position, topicId: to }))];
}

/** One name of a topic, with the act that gave it. */
interface Naming extends NamedPlace {
  readonly position: Position;
  readonly at: Instant;
  readonly by: UserId | null;
  readonly commandId: string;
  readonly isMove: boolean;
}

/** By topic, oldest first. */
type Namings = ReadonlyMap<TopicId, readonly Naming[]>;

async function readNamings(client: Pool | ClientBase, realmId: RealmId, ids: readonly TopicId[]): Promise<Namings> {
  const namings = new Map<TopicId, Naming[]>([...new Set(ids)].map((id) => [id, []]));
  if (namings.size === 0) return namings;
  const { rows } = await client.query<{
    type: TopicStarted['type'] | TopicMoved['type'];
    topicId: TopicId;
    channelId: ChannelId;
    name: string | null;
    position: Position;
    at: Instant;
    by: UserId | null;
    commandId: string;
  }>({
    name: 'messages-topic-names',
    text: `SELECT type, (data->>'topicId')::int8 AS "topicId", coalesce(data->>'to', data->>'channelId')::int8 AS "channelId",
        sealed->'words'->>'name' AS name, position, at, actor_id AS by, command_id AS "commandId" FROM events
      WHERE realm_id = $1 AND stream = ANY($2::text[]) AND type IN ('messages.TopicStarted', 'messages.TopicMoved')
      ORDER BY stream, version`,
    values: [realmId, [...namings.keys()].map((id) => topicAggregate.stream(id))],
  });
  for (const { type, name, ...row } of rows) {
    const naming = { ...row, topic: name ?? erasedTopic(row.topicId), isMove: type === 'messages.TopicMoved' };
    namings.get(row.topicId)?.push(naming);
  }
  return namings;
}

const placeBy =
  (namings: Namings): TopicHistory =>
  (topic, position) =>
    namings.get(topic)?.findLast((naming) => naming.position <= position);

/** The same as the newest of the moves by then from one channel to another, for many messages of topics moved often. */
function arrivalBy(
  stays: ReadonlyMap<MessageId, readonly Stay[]>,
  moved: OwnMoves,
  namings: Namings,
  place: TopicHistory,
): PlaceHistory['arrival'] {
  const changes = new Map([...namings].map(([topic, names]) => [topic, channelChanges(names)]));
  const isAcross = (own: OwnMove | undefined, since: Position) =>
    own?.stayed === false && place(own.from, since)?.channelId !== place(own.to, since)?.channelId;
  return (message, position) => {
    const been = stays.get(message) ?? [];
    let last = position;
    for (let n = been.length - 1; n >= 0; n--) {
      const { since, topicId } = been[n] as Stay;
      if (since > position) continue;
      const change = changes.get(topicId)?.findLast((at) => at <= last);
      if (change !== undefined && change > since) return change;
      if (n > 0 && isAcross(moved.at.get(since), since)) return since;
      last = (since - 1) as Position;
    }
    return message as number as Position;
  };
}

/** Positions at which a topic went from one channel to another. @param names oldest first */
const channelChanges = (names: readonly Naming[]): Position[] =>
  names.flatMap(({ position, channelId, isMove }, n) =>
    n > 0 && isMove && names[n - 1]?.channelId !== channelId ? [position] : [],
  );

function movesOf(stays: readonly Stay[], moved: OwnMoves, namings: Namings, place: TopicHistory): Move[] {
  const moves: Move[] = [];
  for (const [n, { since, topicId }] of stays.entries()) {
    const until = stays[n + 1]?.since ?? Infinity;
    const own = n === 0 ? undefined : moved.at.get(since);
    if (own && !own.stayed) {
      const [from, to] = [place(own.from, since), place(own.to, since)];
      if (from && to) moves.push({ ...own, from, to });
    }
    const names = namings.get(topicId) ?? [];
    for (const [k, to] of names.entries()) {
      const from = names[k - 1];
      if (from && to.isMove && to.position > since && to.position < until) moves.push({ ...to, from, to });
    }
  }
  return moves.sort((a, b) => b.position - a.position);
}
