import type { ChannelPrivacy } from '@annals/channels';
import { readChannelsAt } from '@annals/channels';
import type { FeedReader } from '@annals/kernel';
import type { Audience, ChannelId, MessageId, Position, TopicId } from '@annals/kernel/domain';
import { readConcerned } from '../read/copies';
import { readArrivals } from '../read/moved-messages';
import type { Moved } from '../read/moved-messages';
import type { Places } from '../read/places';
import { both } from './audiences';
import type { Kept, KeptHistory } from './kept';
import type { MoveEvent } from './moves';
import { wayOf } from './moves';
import type { Touch } from './touches';

/** Messages with the place that they are asked about. */
interface Asked {
  readonly messageIds: readonly MessageId[];
  readonly channelId: ChannelId;
  readonly topicId: TopicId;
}

/** Reads, by the positions of facts that moved messages or touched them, what channels with protected history keep. */
export async function readKeptHistory(
  reader: FeedReader,
  touched: readonly Touch[],
  moves: readonly MoveEvent[],
  moved: ReadonlyMap<Position, Moved>,
  places: Places,
): Promise<Map<Position, KeptHistory>> {
  const inPlace = touched.flatMap(({ data: { messageId }, position }) => {
    const place = places.at(messageId, position)?.place;
    return place && 'topicId' in place ? [{ position, to: { ...place, messageIds: [messageId] }, from: null }] : [];
  });
  const ways = moves.map((move) => {
    const messageIds = moved.get(move.position)?.messageIds ?? [];
    const { from, to } = wayOf(move);
    const left = from.channelId === to.channelId ? null : { ...from, messageIds };
    return { position: move.position, to: { ...to, messageIds }, from: left };
  });
  const asked = [...inPlace, ...ways];
  const channels = [...new Set(asked.flatMap(({ from, to }) => [to.channelId, ...(from ? [from.channelId] : [])]))];
  const first = Math.min(...asked.map(({ position }) => position)) as Position;
  const { at } = await readChannelsAt(reader, channels, first);
  const kept = new Map<Position, KeptHistory>();
  for (const { position, from, to } of asked) {
    kept.set(position, {
      after: await readKept(reader, to, position, at(to.channelId, position)),
      before: from && (await readKept(reader, from, (position - 1) as Position, at(from.channelId, position))),
    });
  }
  return kept;
}

/** @param until messages are asked about as they were right after this position */
async function readKept(
  reader: FeedReader,
  { messageIds, channelId, topicId }: Asked,
  until: Position,
  channel: ChannelPrivacy | undefined,
): Promise<Kept | null> {
  if (!channel || channel.historyPublicToSubscribers) return null;
  const arrived = await readArrivals(reader, messageIds, topicId, until);
  const unmoved = messageIds.filter((id) => arrived.get(id) === (id as number));
  // Reacting opens nothing where history is protected.
  const concerned = await readConcerned(reader, unmoved, null);
  const arrivals = [...new Set(arrived.values())].sort((a, b) => a - b);
  const had: Audience = {
    kind: 'any',
    of: [
      { kind: 'members-at', channel: channelId, positions: arrivals },
      { kind: 'users', users: concerned },
    ],
  };
  return { arrived, holders: both(had, { kind: 'content', channel: channelId }) };
}
