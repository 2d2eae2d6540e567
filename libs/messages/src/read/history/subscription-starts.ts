import type { FeedReader } from '@annals/kernel';
import type { ChannelId, Position } from '@annals/kernel/domain';

/** Where in the log somebody came to each of these channels, ascending. */
export type SpanStarts = ReadonlyMap<ChannelId, readonly Position[]>;

/** Reads where people came to channels: positions before the one that is asked for do not change any more. */
export async function readSpanStarts(
  { client, realmId }: FeedReader,
  channels: readonly ChannelId[],
): Promise<SpanStarts> {
  if (channels.length === 0) return new Map();
  const { rows } = await client.query<{ channel: ChannelId; starts: string }>({
    name: 'messages-span-starts',
    text: `SELECT channel_id AS channel, json_agg(from_position ORDER BY from_position)::text AS starts FROM view.memberships
      WHERE realm_id = $1 AND channel_id = ANY($2::int4[]) GROUP BY channel_id`,
    values: [realmId, [...new Set(channels)]],
  });
  return new Map(rows.map(({ channel, starts }) => [channel, JSON.parse(starts) as Position[]]));
}

/**
 * Of places of the log those that tell who was subscribed at any of all of them: the first one, and the first after each
 * time that somebody came. A topic has tens of thousands of messages, and between them hardly anybody comes.
 *
 * @param places ascending
 * @param starts ascending
 */
export function decisive<Place extends number>(places: readonly Place[], starts: readonly Position[]): Place[] {
  let next = 0;
  return places.filter((place, n) => {
    const before = next;
    while ((starts[next] ?? Infinity) <= place) next += 1;
    return n === 0 || next > before;
  });
}
