import type { ChannelId, Position, RealmId, UserId } from '@annals/kernel/domain';
import type { Pool } from 'pg';
import type { OwnColors } from '../../domain/subscription/membership';
import { memberKey } from '../guards';

/**
 * The subscriptions of these users to these channels. They are read again on each try, which then sees the rows that
 * caused the conflict.
 *
 * @returns a `memberKey` for each
 */
export async function membersAmong(
  pool: Pool,
  realmId: RealmId,
  channels: readonly ChannelId[],
  people: readonly UserId[],
): Promise<ReadonlySet<string>> {
  if (channels.length === 0 || people.length === 0) return new Set();
  const { rows } = await pool.query<{ channel_id: ChannelId; user_id: UserId }>({
    name: 'channels-members-among',
    text: `SELECT channel_id, user_id FROM view.memberships WHERE realm_id = $1 AND channel_id = ANY($2::int8[])
      AND user_id = ANY($3::int8[]) AND to_position IS NULL`,
    values: [realmId, channels, people],
  });
  return new Set(rows.map(({ channel_id, user_id }) => memberKey(channel_id, user_id)));
}

/** Colors of users for channels, also for former subscriptions. */
export async function colorsOf(
  pool: Pool,
  realmId: RealmId,
  people: readonly UserId[],
): Promise<ReadonlyMap<UserId, OwnColors>> {
  if (people.length === 0) return new Map();
  const { rows } = await pool.query<{ user_id: UserId; channels: ChannelId[]; colors: string[] }>({
    name: 'channels-own-colors',
    text: `SELECT user_id, array_agg(channel_id) AS channels, array_agg(color) AS colors FROM view.subscriptions
      WHERE realm_id = $1 AND user_id = ANY($2::int8[]) GROUP BY user_id`,
    values: [realmId, people],
  });
  return new Map(
    rows.map(({ user_id, channels, colors }) => [user_id, new Map(channels.map((id, n) => [id, colors[n] ?? '']))]),
  );
}

/** Those of some users who were subscribed to a channel after a position, whether or not they still are. */
export async function subscribedSince(
  pool: Pool,
  realmId: RealmId,
  { channelId, userIds, position }: { channelId: ChannelId; userIds: readonly UserId[]; position: Position },
): Promise<ReadonlySet<UserId>> {
  const { rows } = await pool.query<{ id: UserId }>({
    name: 'channels-subscribed-since',
    text: `SELECT DISTINCT user_id AS id FROM view.memberships
      WHERE realm_id = $1 AND channel_id = $2 AND user_id = ANY($3::int8[]) AND from_position > $4`,
    values: [realmId, channelId, userIds, position],
  });
  return new Set(rows.map(({ id }) => id));
}
