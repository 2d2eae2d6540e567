import type { ChannelId, MessageId, Position, RealmId, UserId } from '@annals/kernel/domain';
import type { ClientBase } from 'pg';
import type { MessageSent } from '../../domain/events';
import { readBy } from '../placement/messages.view';
import { readPartings } from './implicit-reads';
import { TRAVELLED_SQL, channelAtSql } from '../placement/placement-sql';
import { PLACE_JOIN } from '../visibility/visibility';

/** People who left a channel by the event at a position. */
export interface Leaving {
  readonly channelId: ChannelId;
  readonly users: readonly UserId[];
  readonly position: Position;
}

/** Most messages of one channel that leaving it makes read for a client; `POST /register` tells of no more either. */
const MOST = 50_000;

/** What the people who left had not read: nobody's list is made before it is asked for, they share one. */
export interface LeftUnread {
  of(user: UserId): MessageId[];
}

interface Received {
  readonly id: MessageId;
  readonly readBy: UserId | null;
}

interface SentHere extends Received {
  /** It was in another channel since: people may have parted from it. */
  readonly travelled: boolean;
}

/** What leaving made read (contract/subscriptions.md section 3): what reached people and was in the channel by then. */
export async function readLeftUnread(client: ClientBase, realmId: RealmId, leaving: Leaving): Promise<LeftUnread> {
  const { users, position } = leaving;
  const stays = await readStaysLeft(client, realmId, leaving);
  const first = Math.min(position, ...[...stays.values()].flat().map(({ from }) => from));
  const received = await readSentHere(client, realmId, leaving, first);
  const arrived = await readArrived(client, realmId, leaving);
  const travelled = received.filter((one) => one.travelled).map(({ id }) => id);
  const doubtful = new Set([...travelled, ...[...arrived.values()].flat()]);
  const partings = await readPartings(client, realmId, [...doubtful], users);
  const deleted = await readDeleted(client, realmId, leaving);
  return {
    of: (user) => {
      const wasHere = (id: MessageId) => (stays.get(user) ?? []).some(({ from, to }) => from < id && id < to);
      const own = received.filter(({ id, readBy }) => wasHere(id) && readBy !== user).map(({ id }) => id);
      const ids = [...own, ...(arrived.get(user) ?? [])];
      const unread = ids.filter((id) => !doubtful.has(id) || (partings(id, user) ?? Infinity) >= position);
      const gone = deleted.filter((one) => wasHere(one.id) && one.readBy !== user);
      return [...new Set([...unread, ...gone.map(({ id }) => id)])].sort((a, b) => a - b);
    },
  };
}

interface StayLeft {
  readonly user: UserId;
  readonly from: Position;
  readonly to: Position;
  /** The account had ended, and came back to another stay. */
  readonly goesOn: boolean;
}

/** By user, the stay that they left, and those before it that ended with their accounts only. */
async function readStaysLeft(
  client: ClientBase,
  realmId: RealmId,
  { channelId, users, position }: Leaving,
): Promise<ReadonlyMap<UserId, readonly StayLeft[]>> {
  const { rows } = await client.query<StayLeft>({
    name: 'messages-left-stays',
    text: `SELECT user_id AS user, from_position AS from, to_position AS to, held_until <> to_position AS "goesOn"
      FROM view.memberships WHERE realm_id = $1 AND channel_id = $2 AND user_id = ANY($3::int8[]) AND to_position <= $4
      ORDER BY from_position DESC`,
    values: [realmId, channelId, users, position],
  });
  const stays = new Map<UserId, StayLeft[]>();
  const isOver = new Set<UserId>();
  for (const stay of rows) {
    const known = stays.get(stay.user);
    if (!known) stays.set(stay.user, [stay]);
    else if (stay.goesOn && !isOver.has(stay.user)) known.push(stay);
    else isOver.add(stay.user);
  }
  return stays;
}

/** Condition: message `m` was in channel `$2` right before position `$4`; needs PLACE_JOIN. */
const WAS_HERE = `(CASE WHEN ${TRAVELLED_SQL} THEN ${channelAtSql('$4')} ELSE p.channel_id END) = $2`;

/** What was sent to the channel from a position on and was there still when people left it. */
async function readSentHere(
  client: ClientBase,
  realmId: RealmId,
  { channelId, position }: Leaving,
  first: number,
): Promise<readonly SentHere[]> {
  const sent = (condition: string) => `SELECT m.message_id AS id, m.read_by AS "readBy", ${TRAVELLED_SQL} AS travelled
    FROM view.messages AS m ${PLACE_JOIN}
    WHERE m.realm_id = $1 AND m.message_id > $3 AND m.message_id < $4 AND ${condition} AND ${WAS_HERE}`;
  const { rows } = await client.query<SentHere>({
    name: 'messages-left-unread',
    text: `${sent('m.channel_id = $2 AND m.sent_channel_id = $2')}
      UNION ALL ${sent('m.sent_channel_id = $2 AND m.sent_channel_id <> m.channel_id')}
      ORDER BY id DESC LIMIT ${MOST}`,
    values: [realmId, channelId, first, position],
  });
  return rows;
}

type ByUser = Map<UserId, MessageId[]>;

interface ListOfUser {
  readonly user: UserId;
  readonly ids: readonly (string | number)[];
}

const byUser = (rows: readonly ListOfUser[]): ByUser =>
  new Map(rows.map(({ user, ids }) => [user, ids.map(Number) as MessageId[]]));

/** Those that were deleted after people left: of a channel that they read no more nobody told them. */
async function readDeleted(
  client: ClientBase,
  realmId: RealmId,
  { channelId, position }: Leaving,
): Promise<Received[]> {
  const { rows } = await client.query<{ id: MessageId; data: string }>({
    name: 'messages-left-deleted',
    text: `SELECT d.message_id AS id, e.data::text AS data FROM view.deleted_messages AS d
      JOIN events AS e ON e.realm_id = d.realm_id AND e.position = d.message_id
      WHERE d.realm_id = $1 AND d.channel_id = $2 AND d.position > $3 AND d.message_id < $3
      ORDER BY d.message_id DESC LIMIT ${MOST}`,
    values: [realmId, channelId, position],
  });
  return rows.map(({ id, data }) => ({ id, readBy: readBy(JSON.parse(data) as MessageSent['data']) }));
}

/**
 * Messages that reached people in another channel, or during an earlier membership, and were brought here. They are found
 * among those that came here and stayed, and those that went away since.
 */
async function readArrived(
  client: ClientBase,
  realmId: RealmId,
  { channelId, users, position }: Leaving,
): Promise<ByUser> {
  const { rows } = await client.query<ListOfUser>({
    name: 'messages-left-arrived',
    text: `SELECT s.user_id AS user, array_agg(DISTINCT m.message_id) AS ids FROM (
        SELECT message_id FROM view.messages
          WHERE realm_id = $1 AND channel_id = $2 AND arrived <> message_id AND message_id < $4
        UNION SELECT i.message_id FROM view.topics AS e
          JOIN view.messages AS i ON i.realm_id = $1 AND i.topic_id = e.topic_id AND i.message_id < $4
          WHERE e.realm_id = $1 AND e.channel_id = $2 AND e.filed_elsewhere
        UNION SELECT i.message_id FROM view.topic_stays AS e
          JOIN view.messages AS i ON i.realm_id = $1 AND i.topic_id = e.topic_id AND i.message_id < $4
          WHERE e.realm_id = $1 AND e.channel_id = $2 AND e.until > $4
        UNION SELECT message_id FROM view.message_moves WHERE realm_id = $1 AND position > $4) AS n
      JOIN view.messages AS m ON m.realm_id = $1 AND m.message_id = n.message_id AND m.message_id < $4 ${PLACE_JOIN}
      JOIN view.memberships AS s ON s.realm_id = $1 AND s.channel_id = m.sent_channel_id AND s.user_id = ANY($3::int8[])
        AND s.from_position < m.message_id AND (s.to_position IS NULL OR m.message_id < s.to_position)
      WHERE ${TRAVELLED_SQL} AND m.read_by IS DISTINCT FROM s.user_id AND ${WAS_HERE}
      GROUP BY s.user_id`,
    values: [realmId, channelId, users, position],
  });
  return byUser(rows);
}
