import { readChannelsAt } from '@annals/channels';
import type { FeedReader } from '@annals/kernel';
import type { Audience, ChannelId, MessageId, Position, UserId } from '@annals/kernel/domain';
import type { MovedMessages } from '../../read/history/moved-messages';
import { readSendersAndMentioned } from '../../read/history/protected-history-access';
import type { Places } from '../../read/history/places';
import { readPlacements } from '../../read/history/timeline/placements';
import { boundaryPositions, readSubscriptionStarts } from '../../read/history/subscription-starts';
import { intersection } from '../audiences';
import type { ProtectedMessages, ProtectedHistory } from './protected-history';
import type { MoveEvent } from './moves';
import { wayOf } from './moves';
import type { MessageActivity } from './message-activity';

/** Messages with the place that they are asked about. */
interface Asked {
  readonly messageIds: readonly MessageId[];
  readonly channelId: ChannelId;
}

/** Reads, by the positions of facts that moved messages or touched them, what channels with protected history keep. */
export async function readProtectedHistory(
  reader: FeedReader,
  touched: readonly MessageActivity[],
  moves: readonly MoveEvent[],
  moved: ReadonlyMap<Position, MovedMessages>,
  places: Places,
): Promise<Map<Position, ProtectedHistory>> {
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
  const keeps = ({ channelId }: Asked, position: Position) =>
    at(channelId, position)?.historyPublicToSubscribers === false;
  const sides = asked.flatMap(({ position, from, to }) =>
    [to, from].flatMap((side) => (side && keeps(side, position) ? [side] : [])),
  );
  const keptIn = await readKept(reader, sides);
  const kept = new Map<Position, ProtectedHistory>();
  for (const { position, from, to } of asked) {
    kept.set(position, {
      after: keeps(to, position) ? keptIn(to, position) : null,
      before: from && keeps(from, position) ? keptIn(from, (position - 1) as Position) : null,
    });
  }
  return kept;
}

/** Reads all that is asked of channels with protected history at once; how they were right after a position is told then. */
async function readKept(
  reader: FeedReader,
  sides: readonly Asked[],
): Promise<(asked: Asked, until: Position) => ProtectedMessages> {
  const ids = [...new Set(sides.flatMap(({ messageIds }) => messageIds))];
  const placements = await readPlacements(reader.client, reader.realmId, ids);
  const concerned = await readSendersAndMentioned(reader, ids);
  const starts = await readSubscriptionStarts(
    reader,
    sides.map(({ channelId }) => channelId),
  );
  return ({ messageIds, channelId }, until) => {
    const arrived = new Map(messageIds.map((id) => [id, placements.arrivedAt(id, until)]));
    // Reacting opens nothing where history is protected, and what was brought there concerns nobody any more.
    const people = new Set<UserId>();
    for (const [id, since] of arrived) {
      if (since === (id as number)) concerned.get(id)?.forEach((user) => people.add(user));
    }
    const users = [...people].sort((a, b) => a - b);
    const places = [...new Set(arrived.values())].sort((a, b) => a - b);
    const positions = boundaryPositions(places, starts.get(channelId) ?? []);
    const had: Audience = {
      kind: 'any',
      of: [
        { kind: 'members-at', channel: channelId, positions },
        { kind: 'users', users },
      ],
    };
    return { arrived, holders: intersection(had, { kind: 'content', channel: channelId }) };
  };
}
