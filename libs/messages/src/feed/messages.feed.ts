import type { FeedReader } from '@annals/kernel';
import { defineFeed, translate } from '@annals/kernel';
import type { Audience, ClientEvent, MessageId, Position, Recorded, UserId } from '@annals/kernel/domain';
import type { Place } from '../domain/events';
import { ContentEdited, MessageSent, messageIdAt } from '../domain/events';
import { readPlaces } from '../read/places';

/** What `message` events carry until they are delivered. */
export interface SentPayload {
  readonly messageId: MessageId;
}

/** What `update_message` events carry: which event of the log replaced the text. */
export interface EditedPayload {
  readonly messageId: MessageId;
  readonly position: Position;
}

/** Messages as clients see them come and change (contract/messages.md sections 3.2 and 5.6). */
export const messagesFeed = defineFeed({
  name: 'messages',
  facts: ({ client, realmId }: FeedReader, events) =>
    readPlaces(
      client,
      realmId,
      events.filter(isEdit).map(({ data }) => data.messageId),
    ),
  translations: [
    translate(MessageSent, ({ data, position }): ClientEvent[] => {
      const payload: SentPayload = { messageId: messageIdAt(position) };
      const of = [...receiversOf(data.place, [data.senderId, ...data.mentions.userIds]), ...listenersTo(data.place)];
      return [{ type: 'message', audience: { kind: 'any', of }, payload: { ...payload } }];
    }),
    translate(ContentEdited, ({ data, position }, places: Awaited<ReturnType<typeof readPlaces>>): ClientEvent[] => {
      const at = places.get(data.messageId);
      if (!at) return [];
      const payload: EditedPayload = { messageId: data.messageId, position };
      // Whom the new text calls is not among them: an edit does not bring a message to anybody.
      const of = receiversOf(at.place, [at.senderId, ...at.called]).map((those) => stillReading(those, at.place));
      return [{ type: 'update_message', audience: { kind: 'any', of }, payload: { ...payload } }];
    }),
  ],
});

const isEdit = (event: Recorded): event is Recorded<ContentEdited> => event.type === ContentEdited.type;

/** Whom a message concerns: subscribers, its sender and those it called, or the people in its conversation. */
export function receiversOf(place: Place, people: readonly UserId[]): Audience[] {
  if ('userIds' in place) return [{ kind: 'users', users: place.userIds }];
  return [
    { kind: 'members', channel: place.channelId },
    { kind: 'users', users: people },
  ];
}

/** Who left a private channel meanwhile reads no more of it, also where they had been called. */
export const stillReading = (those: Audience, place: Place): Audience =>
  'userIds' in place || those.kind === 'members'
    ? those
    : {
        kind: 'but',
        these: those,
        not: { kind: 'but', these: those, not: { kind: 'content', channel: place.channelId } },
      };

/** New messages are also for those who listen to all public channels. */
const listenersTo = (place: Place): Audience[] =>
  'channelId' in place ? [{ kind: 'all-public', channel: place.channelId }] : [];
