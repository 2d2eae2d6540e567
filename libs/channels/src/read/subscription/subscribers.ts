import { containsSql } from '@annals/kernel';
import type { ChannelId, Instant, Position, RealmId, UserId } from '@annals/kernel/domain';
import { activeSinceSql } from '@annals/users';
import type { ClientBase, Pool } from 'pg';

/** Ids of users by channel, ascending. A channel without subscribers is left out. */
export type Subscribers = ReadonlyMap<ChannelId, readonly UserId[]>;

interface Row {
  readonly channel_id: ChannelId;
  readonly users: UserId[];
}

const byChannel = (rows: readonly Row[]): Subscribers => new Map(rows.map((row) => [row.channel_id, row.users]));

const SUBSCRIBED = `m.realm_id = $1 AND m.channel_id = ANY($2::int8[]) AND m.to_position IS NULL`;

/** The present subscribers without deactivated accounts. */
export async function subscribersOf(
  client: Pool | ClientBase,
  realmId: RealmId,
  channels: readonly ChannelId[],
): Promise<Subscribers> {
  if (channels.length === 0) return new Map();
  const { rows } = await client.query<Row>({
    name: 'channels-subscribers',
    text: `SELECT m.channel_id, array_agg(m.user_id ORDER BY m.user_id) AS users FROM view.memberships AS m
      WHERE ${SUBSCRIBED} AND NOT m.is_departed GROUP BY m.channel_id`,
    values: [realmId, channels],
  });
  return byChannel(rows);
}

/** The subscribers that are bots or were active since a time (contract/subscriptions.md section 1). */
export async function activeSubscribersOf(
  client: Pool | ClientBase,
  realmId: RealmId,
  channels: readonly ChannelId[],
  since: Instant,
): Promise<Subscribers> {
  if (channels.length === 0) return new Map();
  const { rows } = await client.query<Row>({
    name: 'channels-active-subscribers',
    text: `SELECT m.channel_id, array_agg(m.user_id ORDER BY m.user_id) AS users FROM view.memberships AS m
      JOIN ${activeSinceSql('$1', '$3::int8')} AS a ON a.user_id = m.user_id
      WHERE ${SUBSCRIBED} AND NOT m.is_departed GROUP BY m.channel_id`,
    values: [realmId, channels, since],
  });
  return byChannel(rows);
}

/** The subscribers right after the event at a position, without deactivated accounts. */
export async function subscribersAt(
  client: Pool | ClientBase,
  realmId: RealmId,
  channels: readonly ChannelId[],
  at: Position,
): Promise<Subscribers> {
  if (channels.length === 0) return new Map();
  const { rows } = await client.query<Row>({
    name: 'channels-subscribers-at',
    text: `SELECT m.channel_id, array_agg(m.user_id ORDER BY m.user_id) AS users FROM view.memberships AS m
      JOIN view.account_spans AS a ON a.realm_id = m.realm_id AND a.user_id = m.user_id AND a.is_active
        AND ${containsSql('a', '$3')}
      WHERE m.realm_id = $1 AND m.channel_id = ANY($2::int8[]) AND ${containsSql('m', '$3')}
      GROUP BY m.channel_id`,
    values: [realmId, channels, at],
  });
  return byChannel(rows);
}

/** Number of present subscribers without deactivated accounts. The members are not counted one by one. */
export async function subscriberCounts(
  client: Pool | ClientBase,
  realmId: RealmId,
  channels: readonly ChannelId[],
): Promise<Map<ChannelId, number>> {
  if (channels.length === 0) return new Map();
  const { rows } = await client.query<{ channel_id: ChannelId; count: number }>({
    name: 'channels-subscriber-counts',
    text: `SELECT z.channel_id, z.members - coalesce(d.departed, 0) AS count FROM view.channel_sizes AS z
      LEFT JOIN (SELECT m.channel_id, count(*) AS departed FROM view.memberships AS m
        WHERE ${SUBSCRIBED} AND m.is_departed GROUP BY m.channel_id) AS d ON d.channel_id = z.channel_id
      WHERE z.realm_id = $1 AND z.channel_id = ANY($2::int8[])`,
    values: [realmId, channels],
  });
  return new Map(rows.map((row) => [row.channel_id, row.count]));
}
