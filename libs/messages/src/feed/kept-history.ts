import type { ChannelPrivacy } from '@annals/channels';
import { readChannelsAt } from '@annals/channels';
import type { FeedReader } from '@annals/kernel';
import type { ChannelId, MessageId, Position, TopicId } from '@annals/kernel/domain';
import { readArrivals, readConcerned, readWitnesses } from '../read/moved-messages';
import type { Moved } from '../read/moved-messages';
import type { Places } from '../read/places';
import { stillReading } from './audiences';
import type { Kept, KeptHistory } from './kept-payload';
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
      channelId: to.channelId,
      after: await readKept(reader, to, position, position, at(to.channelId, position)),
      before:
        from && (await readKept(reader, from, position, (position - 1) as Position, at(from.channelId, position))),
    });
  }
  return kept;
}

/** @param until messages are asked about as they were right after this position, people as they were after `position` */
async function readKept(
  reader: FeedReader,
  { messageIds, channelId, topicId }: Asked,
  position: Position,
  until: Position,
  channel: ChannelPrivacy | undefined,
): Promise<Kept | null> {
  if (!channel || channel.historyPublicToSubscribers) return null;
  const arrived = await readArrivals(reader, messageIds, topicId, until);
  const unmoved = messageIds.filter((id) => arrived.get(id) === (id as number));
  const concerned = await readConcerned(reader, unmoved, { channelId, position });
  const witnesses = await readWitnesses(reader, channelId, [...new Set(arrived.values())], position);
  const place = { channelId, topicId };
  const called = stillReading({ kind: 'users', users: concerned }, place);
  return { arrived, holders: { kind: 'any', of: [{ kind: 'users', users: witnesses }, called] } };
}
