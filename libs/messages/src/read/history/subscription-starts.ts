import type { FeedReader } from '@annals/kernel';
import type { ChannelId, Position } from '@annals/kernel/domain';

/** The positions at which users subscribed to each of these channels, ascending. */
export type SubscriptionStarts = ReadonlyMap<ChannelId, readonly Position[]>;

/** Reads when users subscribed to channels. */
export async function readSubscriptionStarts(
  { client, realmId }: FeedReader,
  channels: readonly ChannelId[],
): Promise<SubscriptionStarts> {
  if (channels.length === 0) return new Map();
  const { rows } = await client.query<{ channel: ChannelId; starts: string }>({
    name: 'messages-subscription-starts',
    text: `SELECT channel_id AS channel, json_agg(from_position ORDER BY from_position)::text AS starts FROM view.memberships
      WHERE realm_id = $1 AND channel_id = ANY($2::int4[]) GROUP BY channel_id`,
    values: [realmId, [...new Set(channels)]],
  });
  return new Map(rows.map(({ channel, starts }) => [channel, JSON.parse(starts) as Position[]]));
}

/**
 * The positions among some that decide who was subscribed at any of them: the first one, and the first after each start of
 * a subscription. A topic has tens of thousands of messages, and hardly any subscription starts between them.
 *
 * @param positions ascending
 * @param starts ascending
 */
export function boundaryPositions<At extends number>(positions: readonly At[], starts: readonly Position[]): At[] {
  let next = 0;
  return positions.filter((position, n) => {
    const before = next;
    while ((starts[next] ?? Infinity) <= position) next += 1;
    return n === 0 || next > before;
  });
}
