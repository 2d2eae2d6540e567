import type { ChannelId, MessageId, Position, RealmId, TopicId } from '@annals/kernel/domain';
import { grouped } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import { TRAVELLED_SQL } from '../placement/placement-sql';
import { PLACE_JOIN } from '../visibility/visibility';

/** From one position on, something was in this channel. */
export interface Stay {
  readonly since: Position;
  readonly channelId: ChannelId;
}

/** In which channels a message was. */
export interface Journey {
  readonly sentTo: ChannelId;
  /** Oldest first. Messages that went together share one list: a large topic may have been moved a hundred times. */
  readonly later: readonly Stay[];
}

/** Where messages have been. */
export interface Extent {
  readonly sentTo: readonly ChannelId[];
  /** Channels that some of them were brought to. */
  readonly broughtTo: readonly ChannelId[];
  /** The oldest of them; 0 where there are none. */
  readonly first: number;
}

export function extentOf(journeys: ReadonlyMap<MessageId, Journey>): Extent {
  const ways = new Set([...journeys.values()].map(({ later }) => later));
  const first = [...journeys.keys()].reduce((least, id) => Math.min(least, id), Infinity);
  return {
    sentTo: [...new Set([...journeys.values()].map(({ sentTo }) => sentTo))],
    broughtTo: [...new Set([...ways].flatMap((later) => later.map(({ channelId }) => channelId)))],
    first: journeys.size === 0 ? 0 : first,
  };
}

/** Messages that are in one topic, or were when they were deleted. */
interface InTopic {
  readonly topicId: TopicId;
  readonly channelId: ChannelId;
  readonly travelled: boolean;
  readonly ids: readonly MessageId[];
}

/** Until a position, exclusive, something was there. */
interface Until<Place> {
  readonly until: Position;
  readonly place: Place;
}

/** Where messages with the same topics were, from before the first of them on. */
interface Path {
  readonly stays: readonly Stay[];
  /** By the number of a stay: those that follow it. */
  readonly later: (readonly Stay[] | undefined)[];
}

/**
 * Reads in which channels messages were, those that are gone by now included; direct messages in none. Topics are asked
 * for once, however many messages went with them.
 */
export async function readJourneys(
  client: Pool | ClientBase,
  realmId: RealmId,
  ids: readonly MessageId[],
): Promise<ReadonlyMap<MessageId, Journey>> {
  const inTopics = await readInTopics(client, realmId, ids);
  const travelled = inTopics.filter((one) => one.travelled);
  const moves = await readUntil<MessageId, TopicId>(client, 'messages-own-topics', [
    `SELECT message_id AS of, position AS until, topic_id AS place FROM view.message_moves
      WHERE realm_id = $1 AND message_id = ANY($2::int8[]) ORDER BY position`,
    [realmId, travelled.flatMap((one) => one.ids)],
  ]);
  const topics = [...travelled.map(({ topicId }) => topicId), ...[...moves.values()].flat().map(({ place }) => place)];
  const channels = await readUntil<TopicId, ChannelId>(client, 'messages-channels-of-topics', [
    `SELECT topic_id AS of, until, channel_id AS place FROM view.topic_stays WHERE realm_id = $1 AND topic_id = ANY($2::int8[])
      UNION ALL SELECT topic_id, ${FOREVER}, channel_id FROM view.topics WHERE realm_id = $1 AND topic_id = ANY($2::int8[])
      ORDER BY until`,
    [realmId, [...new Set(topics)]],
  ]);
  const paths = new Map<string, Path>();
  const pathOf = (id: MessageId, topicId: TopicId): Path => {
    const inTurn = [...(moves.get(id) ?? []), { until: FOREVER as Position, place: topicId }];
    const key = inTurn.map(({ until, place }) => `${place} ${until}`).join();
    const path = paths.get(key) ?? { stays: staysIn(inTurn, channels), later: [] };
    paths.set(key, path);
    return path;
  };
  const journeys = new Map<MessageId, Journey>();
  for (const { ids: those, topicId, channelId, travelled } of inTopics) {
    for (const id of those) {
      const journey = travelled ? journeyOn(pathOf(id, topicId), id) : { sentTo: channelId, later: NOWHERE };
      if (journey) journeys.set(id, journey);
    }
  }
  return journeys;
}

const FOREVER = Number.MAX_SAFE_INTEGER;
const NOWHERE: readonly Stay[] = [];

async function readInTopics(client: Pool | ClientBase, realmId: RealmId, ids: readonly MessageId[]) {
  const { rows } = await client.query<Omit<InTopic, 'ids'> & { ids: string }>({
    name: 'messages-journeys',
    // Few large values: so many rows would take longer to read.
    text: `SELECT "topicId", "channelId", travelled, json_agg(id)::text AS ids FROM (
        SELECT m.message_id AS id, m.topic_id AS "topicId", p.channel_id AS "channelId", ${TRAVELLED_SQL} AS travelled
          FROM view.messages AS m ${PLACE_JOIN}
          WHERE m.realm_id = $1 AND m.message_id = ANY($2::int8[]) AND m.conversation_id IS NULL
        UNION ALL SELECT message_id, topic_id, channel_id, true FROM view.deleted_messages
          WHERE realm_id = $1 AND message_id = ANY($2::int8[])) AS those
      GROUP BY "topicId", "channelId", travelled`,
    values: [realmId, ids],
  });
  return rows.map((row): InTopic => ({ ...row, ids: JSON.parse(row.ids) as MessageId[] }));
}

async function readUntil<Of, Place>(
  client: Pool | ClientBase,
  name: string,
  [text, values]: [string, unknown[]],
): Promise<Map<Of, Until<Place>[]>> {
  const { rows } = await client.query<Until<Place> & { of: Of }>({ name, text, values });
  return grouped(rows, ({ of }) => of);
}

function staysIn(
  topics: readonly Until<TopicId>[],
  channels: ReadonlyMap<TopicId, readonly Until<ChannelId>[]>,
): Stay[] {
  const stays: Stay[] = [];
  let since = 0 as Position;
  for (const inTopic of topics) {
    for (const inChannel of channels.get(inTopic.place) ?? []) {
      if (inChannel.until <= since || since >= inTopic.until) continue;
      if (stays.at(-1)?.channelId !== inChannel.place) stays.push({ since, channelId: inChannel.place });
      since = Math.min(inChannel.until, inTopic.until) as Position;
    }
    since = inTopic.until;
  }
  return stays;
}

function journeyOn({ stays, later }: Path, id: MessageId): Journey | null {
  const n = stays.findLastIndex(({ since }) => since < (id as number));
  const sent = stays[n];
  return sent ? { sentTo: sent.channelId, later: (later[n] ??= stays.slice(n + 1)) } : null;
}
