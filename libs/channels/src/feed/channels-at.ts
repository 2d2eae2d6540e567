import type { FeedReader } from '@annals/kernel';
import type { ChannelId, Position, Recorded } from '@annals/kernel/domain';
import { fold } from '@annals/kernel/domain';
import type { Channel } from '../domain/channel/channel';
import { channelAggregate } from '../domain/channel/channel';
import type { ChannelEvent } from '../domain/events';
import { CHANNEL_COLUMNS } from '../read/channel/channel-row';
import type { ChannelRow } from '../read/channel/channel-row';

/** A channel right after the event at a position; undefined when it was not there yet. */
export type ChannelsAt = (channel: ChannelId, position: Position) => Channel | undefined;

/** From one position on, a channel was like this. */
export interface ChannelPhase {
  readonly since: Position;
  readonly channel: Channel;
}

/** Channels as they were at any position. */
export interface ChannelHistory {
  readonly ids: readonly ChannelId[];
  readonly at: ChannelsAt;
  /** One channel through the positions asked for, oldest first; none for one that does not exist. */
  phases(channel: ChannelId): readonly ChannelPhase[];
}

/** All of them that were there right after the event at a position. */
export const channelsAt = ({ ids, at }: ChannelHistory, position: Position): Channel[] =>
  ids.flatMap((id) => at(id, position) ?? []);

/**
 * Channels as they were at positions from `first` on. Those that have not changed since are read as they are; of the
 * others the streams are folded.
 *
 * @param ids null for all channels
 */
export async function readChannelsAt(
  reader: FeedReader,
  ids: readonly ChannelId[] | null,
  first: Position,
): Promise<ChannelHistory> {
  if (ids?.length === 0) return { ids, at: () => undefined, phases: () => [] };
  const { rows } = await reader.client.query<ChannelRow & { readonly lastPosition: Position }>({
    name: 'channels-at',
    text: `SELECT ${CHANNEL_COLUMNS}, c.last_position AS "lastPosition" FROM view.channels AS c
      WHERE c.realm_id = $1 AND ($2::int8[] IS NULL OR c.channel_id = ANY($2)) ORDER BY c.channel_id`,
    values: [reader.realmId, ids],
  });
  const known = new Map(rows.map((row) => [row.id, row]));
  const histories = new Map<ChannelId, readonly Recorded<ChannelEvent>[]>();
  for (const { id, lastPosition, createdPosition } of rows) {
    if (lastPosition <= first || createdPosition === lastPosition) continue;
    histories.set(id, (await reader.stream(channelAggregate.stream(id))) as readonly Recorded<ChannelEvent>[]);
  }
  const latest = new Map<ChannelId, { readonly position: Position; readonly channel: Channel | undefined }>();
  const at: ChannelsAt = (id, position) => {
    const row = known.get(id);
    if (!row || row.createdPosition > position) return undefined;
    const history = histories.get(id);
    if (!history) return row;
    // All who wait are asked about one event before the next.
    const asked = latest.get(id);
    if (asked?.position === position) return asked.channel;
    const channel =
      fold(
        channelAggregate,
        history.filter((event) => event.position <= position),
      ) ?? undefined;
    latest.set(id, { position, channel });
    return channel;
  };
  const phases = (id: ChannelId): readonly ChannelPhase[] => {
    const row = known.get(id);
    const history = histories.get(id);
    if (history) return phasesOf(history);
    return row ? [{ since: row.createdPosition, channel: row }] : [];
  };
  return { ids: rows.map(({ id }) => id), at, phases };
}

function phasesOf(history: readonly Recorded<ChannelEvent>[]): ChannelPhase[] {
  let channel = channelAggregate.initial;
  return history.flatMap((event) => {
    channel = channelAggregate.evolve(channel, event);
    return channel ? [{ since: event.position, channel }] : [];
  });
}
