import type { ChannelId, Position, RealmId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import { channelAggregate } from '../../domain/channel/channel';
import { PrivacyChanged } from '../../domain/events';

/** A channel right after the event at a position. */
export interface ChannelMoment {
  readonly channelId: ChannelId;
  readonly position: Position;
}

/** Reads at which of some moments the channels had protected history. */
export async function readProtectedAt<Moment extends ChannelMoment>(
  client: Pool | ClientBase,
  realmId: RealmId,
  moments: readonly Moment[],
): Promise<readonly Moment[]> {
  if (moments.length === 0) return [];
  const { rows } = await client.query<{ n: number }>({
    name: 'channels-protected-at',
    // The first change after a moment says how the channel was before it.
    text: `SELECT a.n::int4 AS n FROM unnest($2::int4[], $3::text[], $4::int8[]) WITH ORDINALITY AS a(channel_id, stream, position, n)
      JOIN view.channels AS c ON c.realm_id = $1 AND c.channel_id = a.channel_id
      WHERE NOT coalesce((SELECT (e.data->'previous'->>'historyPublicToSubscribers')::bool FROM events AS e
        WHERE e.realm_id = $1 AND e.stream = a.stream AND e.type = $5 AND e.position > a.position
        ORDER BY e.position LIMIT 1), c.history_public_to_subscribers)`,
    values: [
      realmId,
      moments.map(({ channelId }) => channelId),
      moments.map(({ channelId }) => channelAggregate.stream(channelId)),
      moments.map(({ position }) => position),
      PrivacyChanged.type,
    ],
  });
  const found = new Set(rows.map(({ n }) => n - 1));
  return moments.filter((_, n) => found.has(n));
}
