import type { ChannelId, Position, RealmId, UserId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';

/** After everything that has happened. */
export const LATEST = Number.MAX_SAFE_INTEGER as Position;

const ACTIVE_SUBSCRIBERS = `FROM view.memberships AS m JOIN view.account_spans AS a
    ON a.realm_id = m.realm_id AND a.user_id = m.user_id AND a.is_active
    AND a.from_position <= $3 AND (a.to_position IS NULL OR a.to_position > $3)
  WHERE m.realm_id = $1 AND m.channel_id = ANY($2::int8[])
    AND m.from_position <= $3 AND (m.to_position IS NULL OR m.to_position > $3)`;

/**
 * Who is subscribed, deactivated accounts left out, as it was after the event at a position.
 *
 * @returns ids ascending; a channel without subscribers is left out
 */
export async function subscribersOf(
  client: Pool | ClientBase,
  realmId: RealmId,
  channels: readonly ChannelId[],
  at: Position = LATEST,
): Promise<Map<ChannelId, UserId[]>> {
  if (channels.length === 0) return new Map();
  const { rows } = await client.query<{ channel_id: ChannelId; users: UserId[] }>({
    name: 'channels-subscribers',
    text: `SELECT m.channel_id, array_agg(m.user_id ORDER BY m.user_id) AS users ${ACTIVE_SUBSCRIBERS}
      GROUP BY m.channel_id`,
    values: [realmId, channels, at],
  });
  return new Map(rows.map((row) => [row.channel_id, row.users]));
}

/** How many they are; a channel without subscribers is left out. */
export async function subscriberCounts(
  client: Pool | ClientBase,
  realmId: RealmId,
  channels: readonly ChannelId[],
  at: Position = LATEST,
): Promise<Map<ChannelId, number>> {
  if (channels.length === 0) return new Map();
  const { rows } = await client.query<{ channel_id: ChannelId; count: number }>({
    name: 'channels-subscriber-counts',
    text: `SELECT m.channel_id, count(*) AS count ${ACTIVE_SUBSCRIBERS} GROUP BY m.channel_id`,
    values: [realmId, channels, at],
  });
  return new Map(rows.map((row) => [row.channel_id, row.count]));
}
