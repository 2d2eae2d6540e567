import type { ChannelId, MessageId, RealmId, UserId } from '@annals/kernel/domain';
import type { ClientBase } from 'pg';
import { ARRIVED_SQL, PLACE_JOIN } from './visibility';

/** Those whom a channel message did not reach although they are subscribed now, and whether they can read it. */
export interface Latecomers {
  readonly users: ReadonlySet<UserId>;
  readonly canRead: boolean;
}

/** Who came to the channels of these messages after them; a message that nobody came after is left out. */
export async function readLatecomers(
  client: ClientBase,
  realmId: RealmId,
  ids: readonly MessageId[],
): Promise<Map<MessageId, Latecomers>> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<{ id: MessageId; channel: ChannelId; users: UserId[]; canRead: boolean }>({
    name: 'messages-latecomers',
    text: `SELECT m.message_id AS id, c.history_public_to_subscribers AS "canRead", array_agg(DISTINCT s.user_id) AS users
      FROM view.messages AS m ${PLACE_JOIN}
      JOIN view.memberships AS s ON s.realm_id = m.realm_id AND s.channel_id = p.channel_id
        AND s.from_position > ${ARRIVED_SQL}
      WHERE m.realm_id = $1 AND m.message_id = ANY($2::int8[])
        AND (s.user_id <> m.sender_id OR ${ARRIVED_SQL} <> m.message_id)
        AND NOT EXISTS (SELECT FROM view.memberships AS o WHERE o.realm_id = s.realm_id AND o.channel_id = s.channel_id
          AND o.user_id = s.user_id AND o.from_position <= ${ARRIVED_SQL}
          AND (o.to_position IS NULL OR ${ARRIVED_SQL} < o.to_position))
        AND NOT (${ARRIVED_SQL} = m.message_id AND EXISTS (SELECT FROM view.called AS n WHERE n.realm_id = m.realm_id
          AND n.message_id = m.message_id AND n.user_id = s.user_id))
      GROUP BY m.message_id, c.history_public_to_subscribers`,
    values: [realmId, ids],
  });
  return new Map(rows.map(({ id, users, canRead }) => [id, { users: new Set(users), canRead }]));
}
