import type { PlacedClientEvent, QueueProfile } from '@annals/kernel';
import { definePresenter } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';
import type { UserRow, Viewer } from '@annals/users';
import { emailFor, readUsers, viewerOf } from '@annals/users';
import type { Typing } from '../domain/typing';
import { shownTopic } from '../read/present-message';

type People = ReadonlyMap<UserId, UserRow>;

const typingOf = ({ payload }: PlacedClientEvent): Typing => payload as unknown as Typing;

/** What clients that do not know of typing in channels see of it: nothing. */
const knows = ({ place }: Typing, { capabilities }: QueueProfile): boolean =>
  'userIds' in place || capabilities.stream_typing_notifications;

const variantOf = (event: PlacedClientEvent, queue: QueueProfile): string =>
  `${knows(typingOf(event), queue)} ${queue.capabilities.empty_topic_name}`;

const peopleIn = ({ senderId, place }: Typing): readonly UserId[] =>
  'userIds' in place ? [senderId, ...place.userIds] : [senderId];

/** contract/realtime.md section 9 */
export const typingPresenter = definePresenter<People>({
  type: 'typing',
  load: async ({ client, realmId }, events) => {
    const people = events.map(typingOf).flatMap(peopleIn);
    const rows = await readUsers(client, realmId, [...new Set(people)]);
    return new Map(rows.map((row) => [row.userId, row]));
  },
  present: (event, people, queue) => {
    const typing = typingOf(event);
    if (!knows(typing, queue)) return [];
    const { op, senderId, place } = typing;
    const viewer = viewerOf(queue, queue);
    const sender = shown(senderId, people, viewer);
    if ('userIds' in place) {
      const recipients = place.userIds.map((userId) => shown(userId, people, viewer));
      return [{ type: 'typing', op, message_type: 'direct', sender, recipients }];
    }
    const topic = shownTopic(place.topic, queue.capabilities.empty_topic_name);
    return [{ type: 'typing', op, message_type: 'stream', sender, stream_id: place.channelId, topic }];
  },
  variant: (event, people, queue) => {
    const viewer = viewerOf(queue, queue);
    const emails = peopleIn(typingOf(event)).map((userId) => shown(userId, people, viewer).email);
    return [variantOf(event, queue), ...emails].join(' ');
  },
});

/** contract/realtime.md section 9, while a message is edited */
export const editingPresenter = definePresenter({
  type: 'typing_edit_message',
  load: async () => null,
  present: (event, _none, queue) => {
    const typing = typingOf(event);
    if (!knows(typing, queue)) return [];
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

function shown(userId: UserId, people: People, viewer: Viewer) {
  const person = people.get(userId);
  if (!person) throw new Error(`account ${userId} does not exist`);
  return { user_id: userId, email: emailFor(person, viewer) };
}
