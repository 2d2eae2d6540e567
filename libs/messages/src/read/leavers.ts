import type { MessageId, Position, RealmId, UserId } from '@annals/kernel/domain';
import type { ClientBase } from 'pg';
import { CHANNELS_OF_M, channelAtSql } from './stays';

/** By message, who left a channel while it was there, and when first: to them it has been read since. */
export type Leavers = ReadonlyMap<MessageId, ReadonlyMap<UserId, Position>>;

/** Reads which of some people left the channels of these messages; a message that none left after is left out. */
export async function readLeavers(
  client: ClientBase,
  realmId: RealmId,
  ids: readonly MessageId[],
  users: readonly UserId[],
): Promise<Leavers> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<{ id: MessageId; user_id: UserId; at: Position }>({
    name: 'messages-leavers',
    text: `SELECT m.message_id AS id, s.user_id, min(s.to_position) AS at
      FROM view.messages AS m CROSS JOIN LATERAL ${CHANNELS_OF_M} AS w
      JOIN view.memberships AS s ON s.realm_id = m.realm_id AND s.channel_id = w.channel_id
        AND s.user_id = ANY($3::int8[])
        AND s.to_position > m.message_id AND s.channel_id = ${channelAtSql('s.to_position')}
      WHERE m.realm_id = $1 AND m.message_id = ANY($2::int8[]) GROUP BY m.message_id, s.user_id`,
    values: [realmId, ids, users],
  });
  const leavers = new Map<MessageId, Map<UserId, Position>>();
  for (const { id, user_id, at } of rows) {
    const known = leavers.get(id);
    if (known) known.set(user_id, at);
    else leavers.set(id, new Map([[user_id, at]]));
  }
  return leavers;
}
