import { defineFeed, translate } from '@annals/kernel';
import type { Audience, ChannelId, ClientEvent, MessageId, Position, TopicId, UserId } from '@annals/kernel/domain';
import type { Place } from '../domain/events';
import { MessagesDeleted } from '../domain/events';
import { membersOf, stillReading } from './audiences';

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

/** Who hears that messages are gone: those who could read them (contract/messages.md section 6.3). */
export const deletionsFeed = defineFeed({
  name: 'deletions',
  facts: () => Promise.resolve(null),
  translations: [
    translate(MessagesDeleted, ({ data, position, actorId }): ClientEvent[] => {
      const { place, messageIds, reached, arrived } = data;
      const topical = 'topicId' in place;
      const payload: DeletedPayload = {
        messageIds,
        topicId: topical ? place.topicId : null,
        channelId: topical ? place.channelId : null,
        at: position,
        ...(arrived && { arrived: arrived as Position[] }),
      };
      const audience = audienceIn(place, actorId === null ? reached : [...reached, actorId]);
      return [{ type: 'delete_message', audience, payload: { ...payload } }];
    }),
  ],
});

/** Subscribers, and of some people those who read the channel all the same. */
function audienceIn(place: Place, people: readonly UserId[]): Audience {
  const those: Audience = { kind: 'users', users: 'userIds' in place ? place.userIds : people };
  if ('userIds' in place) return those;
  return { kind: 'any', of: [membersOf(place.channelId), stillReading(those, place)] };
}
