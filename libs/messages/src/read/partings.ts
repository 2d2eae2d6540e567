import type { ChannelId, MessageId, Position, RealmId, TopicId, UserId } from '@annals/kernel/domain';
import { grouped } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import { TRAVELLED_SQL } from './stays';
import { PLACE_JOIN } from './visibility';
import type { Span } from './visibility';

/**
 * When somebody and a message first parted: they left the channel where it was, or it was brought to a channel that they
 * were not in. To them it has been read since. Whoever was not subscribed when it was sent never had it unread, which is
 * asked apart from this (WAS_THERE_SQL, `readOutsiders`).
 */
export type Partings = (message: MessageId, user: UserId) => Position | undefined;

/** A stay of somebody's in a channel; where their account ended and came back nothing was left, and the next one follows. */
interface Held extends Span {
  readonly heldUntil: Position | null;
}

/** From one position on, a message was in this channel. */
interface Stay {
  readonly since: Position;
  readonly channelId: ChannelId;
}

/** Reads when some of these people and these messages parted; direct messages nobody parts from. */
export async function readPartings(
  client: Pool | ClientBase,
  realmId: RealmId,
  ids: readonly MessageId[],
  users: readonly UserId[],
): Promise<Partings> {
  if (ids.length === 0 || users.length === 0) return () => undefined;
  const staysOf = await readStays(client, realmId, ids);
  const spansOf = await readSpans(client, realmId, staysOf, users);
  return (message, user) => firstParting(staysOf.get(message) ?? [], (channel) => spansOf(channel, user));
}

/**
 * @param stays oldest first, the first since the message was sent
 */
function firstParting(stays: readonly Stay[], spansIn: (channel: ChannelId) => readonly Held[]): Position | undefined {
  for (const [n, { since, channelId }] of stays.entries()) {
    const spans = spansIn(channelId);
    const isThere = ({ from, heldUntil }: Held) => from <= since && (heldUntil === null || since < heldUntil);
    if (n > 0 && !spans.some(isThere)) return since;
    const until = stays[n + 1]?.since ?? Infinity;
    const left = spans.flatMap(({ to, heldUntil }) =>
      to !== null && to === heldUntil && to > since && to < until ? [to] : [],
    );
    if (left.length > 0) return Math.min(...left) as Position;
  }
  return undefined;
}

type Stays = ReadonlyMap<MessageId, readonly Stay[]>;

interface Journey {
  readonly id: MessageId;
  readonly topicId: TopicId;
  readonly channelId: ChannelId;
  readonly travelled: boolean;
}

/** Until a position, exclusive, something was there. */
interface Until<Place> {
  readonly until: Position;
  readonly place: Place;
}

/** Topics are asked for once, however many messages went with them. */
async function readStays(client: Pool | ClientBase, realmId: RealmId, ids: readonly MessageId[]): Promise<Stays> {
  const { rows } = await client.query<Journey>({
    name: 'messages-journeys',
    text: `SELECT m.message_id AS id, m.topic_id AS "topicId", p.channel_id AS "channelId", ${TRAVELLED_SQL} AS travelled
      FROM view.messages AS m ${PLACE_JOIN}
      WHERE m.realm_id = $1 AND m.message_id = ANY($2::int8[]) AND m.conversation_id IS NULL`,
    values: [realmId, ids],
  });
  const travelled = rows.filter((one) => one.travelled);
  const moves = await readUntil<MessageId, TopicId>(client, 'messages-own-topics', [
    `SELECT message_id AS of, position AS until, topic_id AS place FROM view.message_moves
      WHERE realm_id = $1 AND message_id = ANY($2::int8[]) ORDER BY position`,
    [realmId, travelled.map(({ id }) => id)],
  ]);
  const topics = new Set(travelled.flatMap(({ id, topicId }) => [topicId, ...(moves.get(id) ?? []).map(placeOf)]));
  const channels = await readUntil<TopicId, ChannelId>(client, 'messages-channels-of-topics', [
    `SELECT topic_id AS of, until, channel_id AS place FROM view.topic_stays WHERE realm_id = $1 AND topic_id = ANY($2::int8[])
      UNION ALL SELECT topic_id, ${FOREVER}, channel_id FROM view.topics WHERE realm_id = $1 AND topic_id = ANY($2::int8[])
      ORDER BY until`,
    [realmId, [...topics]],
  ]);
  return new Map(rows.map((row) => [row.id, staysOf(row, moves.get(row.id) ?? [], channels)]));
}

const FOREVER = Number.MAX_SAFE_INTEGER;
const placeOf = <Place>({ place }: Until<Place>): Place => place;

async function readUntil<Of, Place>(
  client: Pool | ClientBase,
  name: string,
  [text, values]: [string, unknown[]],
): Promise<Map<Of, Until<Place>[]>> {
  const { rows } = await client.query<Until<Place> & { of: Of }>({ name, text, values });
  return grouped(rows, ({ of }) => of);
}

function staysOf(
  { id, topicId, channelId, travelled }: Journey,
  moves: readonly Until<TopicId>[],
  channels: ReadonlyMap<TopicId, readonly Until<ChannelId>[]>,
): Stay[] {
  const sent = id as number as Position;
  if (!travelled) return [{ since: sent, channelId }];
  const stays: Stay[] = [];
  let since = sent;
  for (const inTopic of [...moves, { until: FOREVER as Position, place: topicId }]) {
    for (const inChannel of channels.get(inTopic.place) ?? []) {
      if (inChannel.until <= since || since >= inTopic.until) continue;
      if (stays.at(-1)?.channelId !== inChannel.place) stays.push({ since, channelId: inChannel.place });
      since = Math.min(inChannel.until, inTopic.until) as Position;
    }
    since = inTopic.until;
  }
  return stays;
}

/** Spans of people in the channels of messages; of those that nothing was brought to, only what has ended since. */
async function readSpans(client: Pool | ClientBase, realmId: RealmId, staysOf: Stays, users: readonly UserId[]) {
  const [left, entered] = [new Set<ChannelId>(), new Set<ChannelId>()];
  let first = Infinity;
  for (const [id, stays] of staysOf) {
    first = Math.min(first, id);
    for (const [n, { channelId }] of stays.entries()) (n === 0 ? left : entered).add(channelId);
  }
  const { rows } = await client.query<Held & { channel: ChannelId; user: UserId }>({
    name: 'messages-spans-of-partings',
    text: `SELECT channel_id AS channel, user_id AS user, from_position AS from, to_position AS to,
        held_until AS "heldUntil" FROM view.memberships
      WHERE realm_id = $1 AND user_id = ANY($2::int8[]) AND (channel_id = ANY($3::int8[]) AND to_position > $5::int8
        OR channel_id = ANY($4::int8[]) AND (held_until IS NULL OR held_until > $5::int8))`,
    values: [realmId, users, [...left], [...entered], Number.isFinite(first) ? first : 0],
  });
  const spans = grouped(rows, ({ channel, user }) => `${channel} ${user}`);
  return (channel: ChannelId, user: UserId): readonly Held[] => spans.get(`${channel} ${user}`) ?? NEVER;
}

const NEVER: readonly Held[] = [];
