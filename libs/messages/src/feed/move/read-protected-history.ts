import { readChannelsAt } from '@annals/channels';
import type { FeedReader } from '@annals/kernel';
import type { Audience, ChannelId, MessageId, Position, UserId } from '@annals/kernel/domain';
import { ascending } from '@annals/kernel/domain';
import type { MovedMessages } from '../../read/history/moved-messages';
import { readSendersAndMentioned } from '../../read/history/protected-history-access';
import type { Places } from '../../read/history/places';
import { readPlacements } from '../../read/history/timeline/placements';
import { boundaryPositions, readSubscriptionStarts } from '../../read/history/subscription-starts';
import { intersection } from '../audiences';
import type { ProtectedMessages, ProtectedHistory } from './protected-history';
import type { MoveEvent } from '../../domain/move/move-event';
import { wayOf } from './moves';
import type { MessageActivity } from './message-activity';

/** Messages in one place. */
interface Asked {
  readonly messageIds: readonly MessageId[];
  readonly channelId: ChannelId;
}

/** Reads the protected history of messages that were moved, edited or reacted to, by the positions of the events. */
export async function readProtectedHistory(
  reader: FeedReader,
  activities: readonly MessageActivity[],
  moves: readonly MoveEvent[],
  moved: ReadonlyMap<Position, MovedMessages>,
  places: Places,
): Promise<Map<Position, ProtectedHistory>> {
  const inPlace = activities.flatMap(({ data: { messageId }, position }) => {
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
  const isProtected = ({ channelId }: Asked, position: Position) =>
    at(channelId, position)?.historyPublicToSubscribers === false;
  const sides = asked.flatMap(({ position, from, to }) =>
    [to, from].flatMap((side) => (side && isProtected(side, position) ? [side] : [])),
  );
  const protectedIn = await readProtectedMessages(reader, sides);
  const kept = new Map<Position, ProtectedHistory>();
  for (const { position, from, to } of asked) {
    kept.set(position, {
      after: isProtected(to, position) ? protectedIn(to, position) : null,
      before: from && isProtected(from, position) ? protectedIn(from, (position - 1) as Position) : null,
    });
  }
  return kept;
}

/** Reads the facts of all messages at once; the result answers for each position. */
async function readProtectedMessages(
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
    // In protected history a reaction gives no access, and mentions and senders of messages that were moved there do not count.
    const people = new Set<UserId>();
    for (const [id, since] of arrived) {
      if (since === (id as number)) concerned.get(id)?.forEach((user) => people.add(user));
    }
    const users = ascending(people);
    const places = ascending(new Set(arrived.values()));
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
