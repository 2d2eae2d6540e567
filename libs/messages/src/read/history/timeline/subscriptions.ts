import type { SubscriptionSpan } from '@annals/channels';
import type { ChannelId, Position, RealmId, UserId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';

/** The spans of a user in a channel, oldest first. */
export type SubscriptionTimeline = (channel: ChannelId, user: UserId) => readonly SubscriptionSpan[];

/** The users, the channels, and the position beyond which their subscriptions matter. */
export interface SubscriptionsAsked {
  readonly channels: readonly ChannelId[];
  readonly users: readonly UserId[];
  readonly since: number;
}

/** Reads when users were subscribed to channels. */
export async function readSubscriptions(
  client: Pool | ClientBase,
  realmId: RealmId,
  { channels, users, since }: SubscriptionsAsked,
): Promise<SubscriptionTimeline> {
  if (channels.length === 0 || users.length === 0) return () => NEVER;
  const { rows } = await client.query<{ channel: ChannelId; spans: string }>({
    name: 'messages-subscriptions',
    // Few large values: a channel may have 20,000 subscribers, and so many rows would take longer to read.
    text: `SELECT channel_id AS channel,
        json_agg(json_build_array(user_id, from_position, to_position, continuous_until) ORDER BY from_position)::text AS spans
      FROM view.memberships WHERE realm_id = $1 AND channel_id = ANY($2::int8[]) AND user_id = ANY($3::int8[])
        AND (continuous_until IS NULL OR continuous_until > $4::int8) GROUP BY channel_id`,
    values: [realmId, [...new Set(channels)], users, since],
  });
  const byChannel = new Map(rows.map(({ channel, spans }) => [channel, byUser(JSON.parse(spans) as StoredSpan[])]));
  return (channel, user) => byChannel.get(channel)?.get(user) ?? NEVER;
}

const NEVER: readonly SubscriptionSpan[] = [];

type StoredSpan = [user: UserId, from: Position, to: Position | null, continuousUntil: Position | null];

function byUser(stored: readonly StoredSpan[]): ReadonlyMap<UserId, readonly SubscriptionSpan[]> {
  const spans = new Map<UserId, SubscriptionSpan[]>();
  for (const [user, from, to, continuousUntil] of stored) {
    const span = { from, to, continuousUntil };
    const known = spans.get(user);
    if (known) known.push(span);
    else spans.set(user, [span]);
  }
  return spans;
}
