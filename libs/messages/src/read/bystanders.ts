import type { MessageId, RealmId, UserId } from '@annals/kernel/domain';
import type { ClientBase } from 'pg';
import { CHANNELS_OF_M } from './stays';

/** By message, people of the channels where it is or was whom it did not reach when it was sent. */
export type Bystanders = ReadonlyMap<MessageId, ReadonlySet<UserId>>;

/** Reads who knows of these messages without having received them; a message without such people is left out. */
export async function readBystanders(
  client: ClientBase,
  realmId: RealmId,
  ids: readonly MessageId[],
): Promise<Bystanders> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<{ id: MessageId; users: UserId[] }>({
    name: 'messages-bystanders',
    text: `SELECT m.message_id AS id, array_agg(DISTINCT s.user_id) AS users
      FROM view.messages AS m CROSS JOIN LATERAL ${CHANNELS_OF_M} AS w
      JOIN view.memberships AS s ON s.realm_id = m.realm_id AND s.channel_id = w.channel_id
        AND (s.from_position > m.message_id OR w.channel_id <> m.sent_channel_id)
      WHERE m.realm_id = $1 AND m.message_id = ANY($2::int8[]) AND s.user_id <> m.sender_id
        AND NOT EXISTS (SELECT FROM view.memberships AS o WHERE o.realm_id = m.realm_id
          AND o.channel_id = m.sent_channel_id AND o.user_id = s.user_id AND o.from_position <= m.message_id
          AND (o.to_position IS NULL OR m.message_id < o.to_position))
        AND NOT EXISTS (SELECT FROM view.called AS n WHERE n.realm_id = m.realm_id
          AND n.message_id = m.message_id AND n.user_id = s.user_id)
      GROUP BY m.message_id`,
    values: [realmId, ids],
  });
  return new Map(rows.map(({ id, users }) => [id, new Set(users)]));
}
