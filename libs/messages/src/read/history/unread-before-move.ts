import type { FeedReader } from '@annals/kernel';
import type { ChannelId, MessageId, Position, Recorded, UserId } from '@annals/kernel/domain';
import { grouped } from '@annals/kernel/domain';
import type { MessageSent, MessagesMoved, TopicMoved } from '../../domain/events';
import type { Journey } from './channel-timelines';
import { extentOf, readJourneys } from './channel-timelines';
import { readBy } from '../placement/messages.view';
import { readWent } from './moved-messages';
import type { Held } from './implicit-reads';
import { leaves, missed } from './implicit-reads';
import { covers } from '../visibility/visibility';

/** What people had unread of messages right before these were moved. */
export interface MovedUnread {
  /** Ascending; those included that have been deleted since. Nobody's list is made before it is asked for. */
  of(user: UserId): readonly MessageId[];
  /** People with the same text have the same list: a large topic may have thousands of readers. */
  alike(user: UserId): string;
}

/**
 * Reads, by their positions, what some people had unread of what these facts moved, right before they did. Each message
 * is read once, however often it was moved.
 *
 * @param moves in order
 */
export async function readMovedUnread(
  reader: FeedReader,
  moves: readonly Recorded<TopicMoved | MessagesMoved>[],
  users: readonly UserId[],
): Promise<ReadonlyMap<Position, MovedUnread>> {
  if (moves.length === 0) return new Map();
  const went = await readWent(reader, moves);
  const lists = [...new Set(went.values())];
  const ids = lists.length === 1 ? (lists[0] ?? []) : [...new Set(lists.flat())];
  const journeys = await readJourneys(reader.client, reader.realmId, ids);
  const own = await readOwn(reader, ids, users);
  const spans = await readSpans(reader, journeys, users);
  const together = new Map(lists.map((list) => [list, togetherAmong(list, journeys)]));
  return new Map(
    [...went].map(([position, list]) => [position, unreadBefore(position, together.get(list) ?? [], { own, spans })]),
  );
}

interface HeldIn extends Held {
  readonly channelId: ChannelId;
}

/** Messages that came the same way: most were sent where their topic was, and went with it. */
interface Together extends Journey {
  readonly ids: MessageId[];
}

/** What is known of the people. */
interface Known {
  /** Which of the messages they had read when these came, because they sent or caused them. */
  readonly own: ReadonlyMap<UserId, ReadonlySet<MessageId>>;
  readonly spans: ReadonlyMap<UserId, readonly HeldIn[]>;
}

function unreadBefore(position: Position, together: readonly Together[], { own, spans }: Known): MovedUnread {
  const lists = new Map<string, readonly MessageId[]>();
  const spansOf = (user: UserId) => spansBefore(position, spans.get(user) ?? []);
  const listOf = (held: readonly HeldIn[]): readonly MessageId[] => {
    const key = JSON.stringify(held);
    const list =
      lists.get(key) ?? together.flatMap((those) => unreadAmong(those, position, held)).sort((a, b) => a - b);
    lists.set(key, list);
    return list;
  };
  return {
    of: (user) => {
      const [list, read] = [listOf(spansOf(user)), own.get(user)];
      return read ? list.filter((id) => !read.has(id)) : list;
    },
    alike: (user) => `${own.has(user) ? user : ''} ${JSON.stringify(spansOf(user))}`,
  };
}

/** Who was where until a position, in the same words whatever came later. */
const spansBefore = (position: Position, spans: readonly HeldIn[]): HeldIn[] =>
  spans.flatMap(({ channelId, from, to, heldUntil }) => {
    const known = (end: Position | null) => (end !== null && end < position ? end : null);
    return from < position ? [{ channelId, from, to: known(to), heldUntil: known(heldUntil) }] : [];
  });

/** Unread is what was sent to somebody who was there, and from whom it has not parted. */
function unreadAmong(
  { sentTo, later, ids }: Together,
  until: Position,
  spans: readonly HeldIn[],
): readonly MessageId[] {
  const spansIn = (channel: ChannelId) => spans.filter(({ channelId }) => channelId === channel);
  const before = later.filter(({ since }) => since < until);
  const hasParted = before.some((stay, n) => {
    const there = spansIn(stay.channelId);
    return missed(stay, there) !== undefined || leaves(stay, before[n + 1]?.since ?? until, there).length > 0;
  });
  if (hasParted) return [];
  const there = spansIn(sentTo);
  const lastLeft = leaves({ since: 0 as Position, channelId: sentTo }, before[0]?.since ?? until, there).at(-1) ?? 0;
  return ids.filter((id) => id > lastLeft && covers(there, id));
}

function togetherAmong(list: readonly MessageId[], journeys: ReadonlyMap<MessageId, Journey>): readonly Together[] {
  const byWay = new Map<Journey['later'], Map<ChannelId, Together>>();
  for (const id of list) {
    const journey = journeys.get(id);
    if (!journey) continue;
    const { sentTo, later } = journey;
    const byChannel = byWay.get(later) ?? new Map<ChannelId, Together>();
    const those = byChannel.get(sentTo) ?? { sentTo, later, ids: [] };
    byWay.set(later, byChannel.set(sentTo, those));
    those.ids.push(id);
  }
  return [...byWay.values()].flatMap((byChannel) => [...byChannel.values()]);
}

/** Who was where since the first of the messages; those who came earlier came at the same time. */
async function readSpans(
  { client, realmId }: FeedReader,
  journeys: ReadonlyMap<MessageId, Journey>,
  users: readonly UserId[],
): Promise<Known['spans']> {
  const { sentTo, broughtTo, first } = extentOf(journeys);
  const { rows } = await client.query<HeldIn & { user: UserId }>({
    name: 'messages-spans-before-moves',
    text: `SELECT user_id AS user, channel_id AS "channelId", greatest(from_position, $4::int8) AS from, to_position AS to,
        held_until AS "heldUntil" FROM view.memberships
      WHERE realm_id = $1 AND channel_id = ANY($2::int8[]) AND user_id = ANY($3::int8[])
        AND (held_until IS NULL OR held_until > $4::int8)
      ORDER BY channel_id, from_position`,
    values: [realmId, [...sentTo, ...broughtTo], users, first],
  });
  return grouped(
    rows,
    ({ user }) => user,
    ({ user: _, ...span }) => span,
  );
}

async function readOwn(
  { client, realmId }: FeedReader,
  ids: readonly MessageId[],
  users: readonly UserId[],
): Promise<Known['own']> {
  const { rows } = await client.query<{ user: UserId; ids: string }>({
    name: 'messages-moved-own',
    text: `SELECT read_by AS user, json_agg(message_id)::text AS ids FROM view.messages
      WHERE realm_id = $1 AND message_id = ANY($2::int8[]) AND read_by = ANY($3::int8[]) GROUP BY read_by`,
    values: [realmId, ids, users],
  });
  const own = new Map(rows.map(({ user, ids: read }) => [user, new Set(JSON.parse(read) as MessageId[])]));
  const { rows: gone } = await client.query<{ id: MessageId; data: string }>({
    name: 'messages-moved-own-gone',
    text: `SELECT d.message_id AS id, e.data::text AS data FROM view.deleted_messages AS d
      JOIN events AS e ON e.realm_id = d.realm_id AND e.position = d.message_id
      WHERE d.realm_id = $1 AND d.message_id = ANY($2::int8[])`,
    values: [realmId, ids],
  });
  for (const { id, data } of gone) {
    const by = readBy(JSON.parse(data) as MessageSent['data']);
    if (by !== null) own.set(by, (own.get(by) ?? new Set()).add(id));
  }
  return own;
}
