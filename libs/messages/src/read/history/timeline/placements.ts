import type { ChannelId, MessageId, Position, RealmId, TopicId } from '@annals/kernel/domain';
import { grouped } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import { CHANGED_CHANNEL_SQL } from '../../placement/placement-sql';
import { PLACE_JOIN } from '../../visibility/visibility';
import type { ChannelInterval, Ended, Interval, TopicInterval } from './intervals';
import { FOREVER, channelsOn, intervalsOf, lastBy } from './intervals';

/** Where messages that share all topics were, from before the first of them on. */
interface Path {
  readonly topics: readonly TopicInterval[];
  readonly channels: readonly ChannelInterval[];
  /** By the number of a channel interval, the intervals after it. */
  readonly later: (readonly ChannelInterval[] | undefined)[];
}

/** The channels of one message. */
export interface ChannelTimeline {
  readonly sentTo: ChannelId;
  /**
   * Oldest first. Messages that moved together share one list: a topic of 50,000 messages may have moved a hundred times.
   */
  readonly later: readonly ChannelInterval[];
}

/** The topics and channels of messages at any position, also of deleted messages. */
export class Placements {
  /** Channels that any of the messages was in. */
  readonly channels: readonly ChannelId[];
  /** The oldest message; 0 where there are none. */
  readonly first: number;
  /** The channel intervals after the first one, for all paths of the messages. */
  readonly arrivals: readonly ChannelInterval[];

  constructor(private readonly paths: ReadonlyMap<MessageId, Path>) {
    const all = new Set(paths.values());
    this.channels = [...new Set([...all].flatMap(({ channels }) => channels.map(({ channelId }) => channelId)))];
    this.arrivals = [...all].flatMap(({ channels }) => channels.slice(1));
    let first = paths.size === 0 ? 0 : Infinity;
    for (const id of paths.keys()) if (id < first) first = id;
    this.first = first;
  }

  /** Undefined for a direct message. */
  channelsOf(message: MessageId): ChannelTimeline | undefined {
    const path = this.paths.get(message);
    if (!path) return undefined;
    const n = path.channels.findLastIndex(({ since }) => since < (message as number));
    const sent = path.channels[n];
    return sent && { sentTo: sent.channelId, later: (path.later[n] ??= path.channels.slice(n + 1)) };
  }

  /** The topics that a message was in, oldest first. None for a direct message. */
  topicsOf(message: MessageId): readonly TopicInterval[] {
    return this.paths.get(message)?.topics ?? [];
  }

  /** The topic right after the event at a position; undefined before the message was sent. */
  topicAt(message: MessageId, position: number): TopicId | undefined {
    return position < message ? undefined : lastBy(this.paths.get(message)?.topics, position)?.topicId;
  }

  /** The channel right after the event at a position; undefined before the message was sent. */
  channelAt(message: MessageId, position: number): ChannelId | undefined {
    return position < message ? undefined : lastBy(this.paths.get(message)?.channels, position)?.channelId;
  }

  /** The position at which the message had arrived in the channel where it was right after the event at a position. */
  arrivedAt(message: MessageId, position: number): Position {
    const since = lastBy(this.paths.get(message)?.channels, position)?.since ?? 0;
    return Math.max(message, since) as Position;
  }
}

/** Messages that are in one topic, or were when they were deleted. */
interface InTopic {
  readonly topicId: TopicId;
  readonly channelId: ChannelId;
  /** The messages were in other topics. */
  readonly changedTopic: boolean;
  /** The messages or their topic were in other channels. */
  readonly changedChannel: boolean;
  readonly ids: readonly MessageId[];
}

/** Reads where channel messages were. Topics are read once, however many messages moved with them. */
export async function readPlacements(
  client: Pool | ClientBase,
  realmId: RealmId,
  ids: readonly MessageId[],
): Promise<Placements> {
  if (ids.length === 0) return new Placements(new Map());
  const inTopics = await readInTopics(client, realmId, ids);
  const changedTopic = inTopics.filter((one) => one.changedTopic).flatMap((one) => one.ids);
  const ownMoves = await readOwnMoves(client, realmId, changedTopic);
  const left = [...ownMoves.values()].flatMap((moves) => moves.map(({ place }) => place));
  const stayed = inTopics.filter((one) => one.changedChannel).map(({ topicId }) => topicId);
  const channels = await readChannels(client, realmId, stayed.length === 0 ? [] : [...new Set([...stayed, ...left])]);
  const paths = new Map<MessageId, Path>();
  for (const inTopic of inTopics) {
    const pathOf = pathsIn(inTopic, channels);
    for (const id of inTopic.ids) paths.set(id, pathOf(ownMoves.get(id) ?? NO_MOVES));
  }
  return new Placements(paths);
}

const NO_MOVES: readonly Ended<TopicId>[] = [];

/** The path of messages that are in one topic now, by the topics that they left: one path for all that left the same. */
function pathsIn(
  { topicId, channelId, changedChannel }: InTopic,
  channels: ReadonlyMap<TopicId, readonly Interval<ChannelId>[]>,
): (left: readonly Ended<TopicId>[]) => Path {
  const paths = new Map<string, Path>();
  return (left) => {
    const key = left.map(({ place, until }) => `${place} ${until}`).join();
    const known = paths.get(key);
    if (known) return known;
    const topics = intervalsOf([...left, { until: FOREVER, place: topicId }]);
    const path: Path = {
      topics: topics.map(({ since, place }) => ({ since, topicId: place })),
      channels: changedChannel ? channelsOn(topics, channels) : [{ since: 0 as Position, channelId }],
      later: [],
    };
    paths.set(key, path);
    return path;
  };
}

async function readInTopics(client: Pool | ClientBase, realmId: RealmId, ids: readonly MessageId[]) {
  const { rows } = await client.query<Omit<InTopic, 'ids'> & { ids: string }>({
    name: 'messages-in-topics',
    // Few large values: so many rows would take longer to read.
    text: `SELECT "topicId", "channelId", "changedTopic", "changedChannel", json_agg(id)::text AS ids FROM (
        SELECT m.message_id AS id, m.topic_id AS "topicId", p.channel_id AS "channelId", m.was_moved AS "changedTopic",
            ${CHANGED_CHANNEL_SQL} AS "changedChannel"
          FROM view.messages AS m ${PLACE_JOIN}
          WHERE m.realm_id = $1 AND m.message_id = ANY($2::int8[]) AND m.conversation_id IS NULL
        UNION ALL SELECT message_id, topic_id, channel_id, true, true FROM view.deleted_messages
          WHERE realm_id = $1 AND message_id = ANY($2::int8[]) AND until IS NULL) AS those
      GROUP BY "topicId", "channelId", "changedTopic", "changedChannel"`,
    values: [realmId, ids],
  });
  return rows.map((row): InTopic => ({ ...row, ids: JSON.parse(row.ids) as MessageId[] }));
}

/** Reads which topics messages left by themselves, oldest first; messages that only moved with their topic left none. */
export async function readOwnMoves(
  client: Pool | ClientBase,
  realmId: RealmId,
  ids: readonly MessageId[],
): Promise<ReadonlyMap<MessageId, readonly Ended<TopicId>[]>> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<Ended<TopicId> & { id: MessageId }>({
    name: 'messages-own-moves',
    text: `SELECT message_id AS id, position AS until, topic_id AS place FROM view.message_moves
      WHERE realm_id = $1 AND message_id = ANY($2::int8[]) ORDER BY message_id, position`,
    values: [realmId, ids],
  });
  return grouped(rows, ({ id }) => id);
}

/** Reads in which channels topics were, topics that ended included. */
async function readChannels(
  client: Pool | ClientBase,
  realmId: RealmId,
  topics: readonly TopicId[],
): Promise<ReadonlyMap<TopicId, readonly Interval<ChannelId>[]>> {
  if (topics.length === 0) return new Map();
  const { rows } = await client.query<Ended<ChannelId> & { topic: TopicId }>({
    name: 'messages-channels-of-topics',
    text: `SELECT topic_id AS topic, until, channel_id AS place FROM view.topic_stays
        WHERE realm_id = $1 AND topic_id = ANY($2::int8[])
      UNION ALL SELECT topic_id, ${FOREVER}, channel_id FROM view.topics
        WHERE realm_id = $1 AND topic_id = ANY($2::int8[])
      ORDER BY until`,
    values: [realmId, topics],
  });
  const byTopic = grouped(rows, ({ topic }) => topic);
  return new Map([...byTopic].map(([topic, ended]) => [topic, intervalsOf(ended)]));
}
