import type { MessageId, Position, RealmId, UserId } from '@annals/kernel/domain';
import { grouped } from '@annals/kernel/domain';
import type { ClientBase } from 'pg';
import { CHANNELS_OF_M } from '../placement/placement-sql';
import { RECEIVED_SQL } from '../visibility/visibility';

/**
 * By message, people whom it did not reach when it was sent and who may know of it all the same; with the position since
 * which they have a copy because they reacted to it, null where they have none.
 */
export type Bystanders = ReadonlyMap<MessageId, ReadonlyMap<UserId, Position | null>>;

/** Reads which of some people are bystanders of these messages; a message without any is left out. */
export async function readBystanders(
  client: ClientBase,
  realmId: RealmId,
  ids: readonly MessageId[],
  users: readonly UserId[],
): Promise<Bystanders> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<{ id: MessageId; user: UserId; copied: Position | null }>({
    name: 'messages-bystanders',
    text: `SELECT m.message_id AS id, r.user_id AS user, (SELECT min(x.added_position) FROM view.reactions AS x
          WHERE x.realm_id = $1 AND x.message_id = m.message_id AND x.user_id = r.user_id) AS copied
      FROM view.messages AS m CROSS JOIN LATERAL (
        SELECT s.user_id FROM ${CHANNELS_OF_M} AS w JOIN view.memberships AS s ON s.realm_id = $1
            AND s.channel_id = w.channel_id AND s.user_id = ANY($3::int8[])
            AND (s.from_position > m.message_id OR w.channel_id <> m.sent_channel_id)
        UNION SELECT x.user_id FROM view.reactions AS x
          WHERE x.realm_id = $1 AND x.message_id = m.message_id AND x.user_id = ANY($3::int8[])) AS r
      WHERE m.realm_id = $1 AND m.message_id = ANY($2::int8[]) AND NOT (${RECEIVED_SQL})`,
    values: [realmId, ids, users],
  });
  const byMessage = grouped(rows, ({ id }) => id);
  return new Map([...byMessage].map(([id, of]) => [id, new Map(of.map(({ user, copied }) => [user, copied]))]));
}
