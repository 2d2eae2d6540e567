import type { ChannelId, MessageId, Position, RealmId, UserId } from '@annals/kernel/domain';
import type { ClientBase } from 'pg';
import type { MessageSent } from '../domain/events';
import { readBy } from './messages.view';

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

/** What leaving made read (contract/subscriptions.md section 3): what reached people since they came, and calls before. */
export async function readLeftUnread(client: ClientBase, realmId: RealmId, leaving: Leaving): Promise<LeftUnread> {
  const { channelId, users, position } = leaving;
  const { rows: spans } = await client.query<{ user: UserId; from: Position }>({
    name: 'messages-left-spans',
    text: `SELECT user_id AS user, from_position AS from FROM view.memberships
      WHERE realm_id = $1 AND channel_id = $2 AND user_id = ANY($3::int8[]) AND to_position = $4`,
    values: [realmId, channelId, users, position],
  });
  const from = new Map(spans.map((span) => [span.user, span.from]));
  const first = Math.min(position, ...from.values());
  const { rows: received } = await client.query<Received>({
    name: 'messages-left-unread',
    text: `SELECT message_id AS id, read_by AS "readBy" FROM view.messages
      WHERE realm_id = $1 AND channel_id = $2 AND message_id > $3 AND message_id < $4
      ORDER BY message_id DESC LIMIT ${MOST}`,
    values: [realmId, channelId, first, position],
  });
  const calls = await readCalls(client, realmId, leaving);
  const deleted = await readDeleted(client, realmId, leaving);
  return {
    of: (user) => {
      const since = from.get(user) ?? position;
      const own = received.filter(({ id, readBy }) => id > since && readBy !== user).map(({ id }) => id);
      const gone = deleted.filter((one) => (one.id > since || one.concerned.has(user)) && one.readBy !== user);
      const ids = [...own, ...(calls.get(user) ?? []), ...gone.map(({ id }) => id)];
      return [...new Set(ids)].sort((a, b) => a - b);
    },
  };
}

/** Those that were deleted after people left, of which nobody told them: they are not in the channel any more. */
async function readDeleted(
  client: ClientBase,
  realmId: RealmId,
  { channelId, position }: Leaving,
): Promise<(Received & { readonly concerned: ReadonlySet<UserId> })[]> {
  const { rows } = await client.query<{ id: MessageId; data: string }>({
    name: 'messages-left-deleted',
    text: `SELECT d.message_id AS id, e.data::text AS data FROM view.deleted_messages AS d
      JOIN events AS e ON e.realm_id = d.realm_id AND e.position = d.message_id
      WHERE d.realm_id = $1 AND d.channel_id = $2 AND d.position > $3 AND d.message_id < $3
      ORDER BY d.message_id DESC LIMIT ${MOST}`,
    values: [realmId, channelId, position],
  });
  return rows.map(({ id, data }) => {
    const sent = JSON.parse(data) as MessageSent['data'];
    return { id, readBy: readBy(sent), concerned: new Set([sent.senderId, ...sent.mentions.userIds]) };
  });
}

/** Messages that reached people outside their time in the channel: those that called them, and their own. */
async function readCalls(
  client: ClientBase,
  realmId: RealmId,
  { channelId, users, position }: Leaving,
): Promise<Map<UserId, MessageId[]>> {
  const { rows } = await client.query<{ user: UserId; ids: MessageId[] }>({
    name: 'messages-left-calls',
    text: `SELECT c.user_id AS user, array_agg(c.message_id) AS ids FROM (
        SELECT user_id, message_id FROM view.called
          WHERE realm_id = $1 AND user_id = ANY($3::int8[]) AND message_id < $4
        UNION SELECT sender_id, message_id FROM view.messages
          WHERE realm_id = $1 AND sender_id = ANY($3::int8[]) AND message_id < $4 AND read_by IS DISTINCT FROM sender_id
      ) AS c
      JOIN view.messages AS m ON m.realm_id = $1 AND m.message_id = c.message_id AND m.channel_id = $2
      WHERE m.read_by IS DISTINCT FROM c.user_id GROUP BY c.user_id`,
    values: [realmId, channelId, users, position],
  });
  return new Map(rows.map(({ user, ids }) => [user, ids]));
}
