import type { FeedReader } from '@annals/kernel';
import type { ChannelId, Position, Recorded } from '@annals/kernel/domain';
import { fold } from '@annals/kernel/domain';
import type { Channel } from '../domain/channel/channel';
import { channelAggregate } from '../domain/channel/channel';
import type { ChannelEvent } from '../domain/events';
import { CHANNEL_COLUMNS } from '../read/channel/channel-row';
import type { ChannelRow } from '../read/channel/channel-row';

/** A channel right after the event at a position. Undefined when it did not exist yet. */
export type ChannelsAt = (channel: ChannelId, position: Position) => Channel | undefined;

/** The state of a channel from one position on. */
export interface ChannelPhase {
  readonly since: Position;
  readonly channel: Channel;
}

/** Channels as they were at any position. */
export interface ChannelHistory {
  readonly ids: readonly ChannelId[];
  readonly at: ChannelsAt;
  /** One channel at the requested positions, oldest first. Empty for one that does not exist. */
  phases(channel: ChannelId): readonly ChannelPhase[];
}

/** All channels that existed right after the event at a position. */
export const channelsAt = ({ ids, at }: ChannelHistory, position: Position): Channel[] =>
  ids.flatMap((id) => at(id, position) ?? []);

/**
 * Channels as they were at positions from `first` on. Those that have not changed since are read from the read model.
 * The streams of the others are folded.
 *
 * @param ids null for all channels
 */
export async function readChannelsAt(
  reader: FeedReader,
  ids: readonly ChannelId[] | null,
  first: Position,
): Promise<ChannelHistory> {
  if (ids?.length === 0) return { ids, at: () => undefined, phases: () => [] };
  const { rows } = await reader.client.query<StoredChannel>({
    name: 'channels-at',
    text: `SELECT ${CHANNEL_COLUMNS}, c.last_position AS "lastPosition" FROM view.channels AS c
      WHERE c.realm_id = $1 AND ($2::int8[] IS NULL OR c.channel_id = ANY($2)) ORDER BY c.channel_id`,
    values: [reader.realmId, ids],
  });
  const streams = new Map<ChannelId, Stream>();
  for (const { id, lastPosition, createdPosition } of rows) {
    if (lastPosition <= first || createdPosition === lastPosition) continue;
    streams.set(id, (await reader.stream(channelAggregate.stream(id))) as Stream);
  }
  return historyOf(rows, streams);
}

type StoredChannel = ChannelRow & { readonly lastPosition: Position };
type Stream = readonly Recorded<ChannelEvent>[];

/** @param streams of the channels that have changed */
function historyOf(rows: readonly StoredChannel[], streams: ReadonlyMap<ChannelId, Stream>): ChannelHistory {
  const known = new Map(rows.map((row) => [row.id, row]));
  const latest = new Map<ChannelId, { readonly position: Position; readonly channel: Channel | undefined }>();
  const at: ChannelsAt = (id, position) => {
    const row = known.get(id);
    if (!row || row.createdPosition > position) return undefined;
    const stream = streams.get(id);
    if (!stream) return row;
    // The question is asked for all waiting polls about one event before the next.
    const asked = latest.get(id);
    if (asked?.position === position) return asked.channel;
    const before = stream.filter((event) => event.position <= position);
    const channel = fold(channelAggregate, before) ?? undefined;
    latest.set(id, { position, channel });
    return channel;
  };
  const phases = (id: ChannelId): readonly ChannelPhase[] => {
    const row = known.get(id);
    const stream = streams.get(id);
    if (stream) return phasesOf(stream);
    return row ? [{ since: row.createdPosition, channel: row }] : [];
  };
  return { ids: rows.map(({ id }) => id), at, phases };
}

function phasesOf(stream: Stream): ChannelPhase[] {
  let channel = channelAggregate.initial;
  return stream.flatMap((event) => {
    channel = channelAggregate.evolve(channel, event);
    return channel ? [{ since: event.position, channel }] : [];
  });
}
