import { defineFeed, translate } from '@annals/kernel';
import type {
  Audience,
  ChannelId,
  ClientEvent,
  MessageId,
  Position,
  Recorded,
  TopicId,
  UserId,
} from '@annals/kernel/domain';
import { MessagesDeleted } from '../domain/events';
import type { Copies } from '../read/copies';
import { readCopies } from '../read/copies';
import { both, holding, membersOf } from './audiences';

/** What `delete_message` events carry: messages that are gone, for whoever gets the event. */
export interface DeletedPayload {
  /** Ascending. */
  readonly messageIds: readonly MessageId[];
  /** Null for direct messages, as the channel is. */
  readonly topicId: TopicId | null;
  readonly channelId: ChannelId | null;
  /** The topic is named as it was called right after this event of the log. */
  readonly at: Position;
  /** Where history is protected: positions at which the messages had come to the channel, in the order of their ids. */
  readonly arrived?: readonly Position[];
}

/** Who had copies of the messages, by the position of the fact that deleted them; none for direct messages. */
type Facts = ReadonlyMap<Position, Copies>;

/** Who hears that messages are gone: those who could read them (contract/messages.md section 6.3). */
export const deletionsFeed = defineFeed<Facts>({
  name: 'deletions',
  facts: async (reader, events) => {
    const happened = (events as readonly Recorded<MessagesDeleted>[]).flatMap(
      ({ data: { place, messageIds }, position }) =>
        'channelId' in place ? [{ messageIds, channelId: place.channelId, position }] : [],
    );
    const copies = await readCopies(reader, happened);
    return new Map(happened.flatMap(({ position }, n) => (copies[n] ? [[position, copies[n]]] : [])));
  },
  translations: [translate(MessagesDeleted, told)],
});

function told({ data, position, actorId }: Recorded<MessagesDeleted>, facts: Facts): ClientEvent[] {
  const { place, messageIds, arrived } = data;
  const topical = 'topicId' in place;
  const payload: DeletedPayload = {
    messageIds,
    topicId: topical ? place.topicId : null,
    channelId: topical ? place.channelId : null,
    at: position,
    ...(arrived && { arrived: arrived as Position[] }),
  };
  const audience: Audience = topical
    ? audienceIn(place.channelId, actorId, facts.get(position), payload.arrived)
    : { kind: 'users', users: place.userIds };
  return [{ type: 'delete_message', audience, payload: { ...payload } }];
}

/**
 * Subscribers, and of those who had copies and of who deleted them whoever reads the channel. Where history is protected,
 * what never was somebody's is left out for them later.
 */
function audienceIn(
  channel: ChannelId,
  actor: UserId | null,
  copies: Copies = { concerned: [], sentTo: new Map() },
  arrived: readonly Position[] = [],
): Audience {
  const others: Audience = {
    kind: 'any',
    of: [
      holding(copies),
      { kind: 'members-at', channel, positions: [...arrived].sort((a, b) => a - b) },
      { kind: 'users', users: actor === null ? [] : [actor] },
    ],
  };
  return { kind: 'any', of: [membersOf(channel), both(others, { kind: 'content', channel })] };
}
