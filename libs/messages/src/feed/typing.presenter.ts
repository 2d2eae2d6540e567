import type { PositionedClientEvent, QueueProfile } from '@annals/kernel';
import { definePresenter } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';
import type { UserRow } from '@annals/users';
import { emailFor, readUsers, unknownUser, viewerOf } from '@annals/users';
import type { Typing } from '../domain/typing';
import { shownTopic } from '../read/content/present-message';
import type { UserAccessAtEvent } from './message/user-access-at-event';
import { readUserAccessAtEvents } from './message/user-access-at-event';

interface Loaded {
  readonly people: ReadonlyMap<UserId, UserRow>;
  readonly access: UserAccessAtEvent;
}

const typingOf = ({ payload }: PositionedClientEvent): Typing => payload as unknown as Typing;

/** Whether the client supports typing notifications of channels; others do not receive them. */
const isSupported = ({ place }: Typing, { capabilities }: QueueProfile): boolean =>
  'userIds' in place || capabilities.stream_typing_notifications;

const variantOf = (event: PositionedClientEvent, queue: QueueProfile): string =>
  `${isSupported(typingOf(event), queue)} ${queue.capabilities.empty_topic_name}`;

const peopleIn = ({ senderId, place }: Typing): readonly UserId[] =>
  'userIds' in place ? [senderId, ...place.userIds] : [senderId];

/** contract/realtime.md section 9 */
export const typingPresenter = definePresenter<Loaded>({
  type: 'typing',
  load: async (reader, events, _listeners, guests) => {
    const named = [...new Set(events.map(typingOf).flatMap(peopleIn))];
    const rows = await readUsers(reader.client, reader.realmId, named);
    const people = new Map(rows.map((row) => [row.userId, row]));
    return { people, access: await readUserAccessAtEvents(reader, events, named, guests) };
  },
  present: (event, loaded, queue) => {
    const typing = typingOf(event);
    if (!isSupported(typing, queue)) return [];
    const { op, senderId, place } = typing;
    const shown = (userId: UserId) => shownTo(queue, userId, event, loaded);
    const sender = shown(senderId);
    if ('userIds' in place) {
      const recipients = place.userIds.map(shown);
      return [{ type: 'typing', op, message_type: 'direct', sender, recipients }];
    }
    const topic = shownTopic(place.topic, queue.capabilities.empty_topic_name);
    return [{ type: 'typing', op, message_type: 'stream', sender, stream_id: place.channelId, topic }];
  },
  variant: (event, loaded, queue) => {
    const emails = peopleIn(typingOf(event)).map((userId) => shownTo(queue, userId, event, loaded).email);
    return [variantOf(event, queue), ...emails].join(' ');
  },
});

/** contract/realtime.md section 9, while a message is edited */
export const editingPresenter = definePresenter({
  type: 'typing_edit_message',
  load: async () => null,
  present: (event, _none, queue) => {
    const typing = typingOf(event);
    if (!isSupported(typing, queue)) return [];
    const { op, senderId: sender_id, messageId: message_id, place } = typing;
    const recipient =
      'userIds' in place
        ? { type: 'direct', user_ids: place.userIds }
        : {
            type: 'channel',
            channel_id: place.channelId,
            topic: shownTopic(place.topic, queue.capabilities.empty_topic_name),
          };
    return [{ type: 'typing_edit_message', op, sender_id, message_id, recipient }];
  },
  variant: (event, _none, queue) => variantOf(event, queue),
});

/** Guests do not receive email addresses of users whom they cannot access (contract/permissions.md section 7). */
function shownTo(queue: QueueProfile, userId: UserId, event: PositionedClientEvent, { people, access }: Loaded) {
  const person = people.get(userId);
  if (!person) throw new Error(`account ${userId} does not exist`);
  const seen = access(queue.userId, userId, event) ? person : unknownUser(person);
  return { user_id: userId, email: emailFor(seen, viewerOf(queue, queue)) };
}
