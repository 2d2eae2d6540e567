import type { ChannelId, MessageId, RealmId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';

/** The activity that is part of a channel. */
export interface ChannelActivity {
  readonly firstMessageId: MessageId | null;
  readonly isRecentlyActive: boolean;
  /** Messages per week. Null while the channel is too new for an average. */
  readonly weeklyTraffic: number | null;
}

/** Columns of `view.channel_activity AS f`, under the names of `ChannelActivity`. */
export const ACTIVITY_COLUMNS = `f.first_message_id AS "firstMessageId", f.is_recently_active AS "isRecentlyActive",
  f.weekly_traffic AS "weeklyTraffic"`;

/** Reads the activity of channels by their ids. Those that do not exist are left out. */
export async function readActivity(
  client: Pool | ClientBase,
  realmId: RealmId,
  ids: readonly ChannelId[],
): Promise<Map<ChannelId, ChannelActivity>> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<ChannelActivity & { readonly id: ChannelId }>({
    name: 'channels-activity',
    text: `SELECT f.channel_id AS id, ${ACTIVITY_COLUMNS} FROM view.channel_activity AS f
      WHERE f.realm_id = $1 AND f.channel_id = ANY($2::int8[])`,
    values: [realmId, ids],
  });
  return new Map(rows.map(({ id, ...activity }) => [id, activity]));
}

/** Ids of the channels that no longer count as recently active. */
export async function readDormantChannels(
  client: Pool | ClientBase,
  realmId: RealmId,
): Promise<ReadonlySet<ChannelId>> {
  const { rows } = await client.query<{ channel_id: ChannelId }>({
    name: 'channels-dormant',
    text: 'SELECT channel_id FROM view.channel_activity WHERE realm_id = $1 AND NOT is_recently_active',
    values: [realmId],
  });
  return new Set(rows.map((row) => row.channel_id));
}
