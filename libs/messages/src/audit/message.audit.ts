import type { EventDescription, SentencePart } from '@annals/kernel';
import { counted, describeEvent, listed, thing, wordsOf } from '@annals/kernel';
import { ContentEdited, ConversationOpened, DisownedDeleted, MessageSent, MessagesDeleted } from '../domain/events';
import type { Place } from '../domain/events';
import { LinksPreviewed } from '../domain/previews/preview';
import { MessageRestored } from '../domain/restored-event';
import type { UserId } from '@annals/kernel/domain';
import { inPlace, withOthers } from './places';

const { user, message, topic, channel } = thing;

const opened = describeEvent(ConversationOpened, {
  meaning: 'Users exchange direct messages for the first time.',
  commands: ['SendMessage', 'ScheduleMessage'],
  sentence: ({ actorId, data: { userIds } }) => [
    'opened a direct conversation ',
    ...withOthers(userIds, actorId ?? undefined),
  ],
});

function destination(place: Place, sender: UserId): SentencePart[] {
  if ('topicId' in place) return [' to ', channel(place.channelId), ', in ', topic(place.topicId)];
  const others = place.userIds.filter((id) => id !== sender);
  return [' to ', ...(others.length === 0 ? ['themselves'] : listed(others.map((id) => user(id))))];
}

const sent = describeEvent(MessageSent, {
  meaning: 'A message was sent. The position of the event is the id of the message.',
  commands: [
    'SendMessage',
    'Deliveries',
    'ReminderDeliveries',
    'ReportMessage',
    'Answers',
    'Welcomes',
    'TryOutWelcome',
  ],
  sentence: ({ actorId, position, data: { senderId, place } }) => [
    ...(actorId === senderId ? ['sent '] : ['had ', user(senderId), ' send ']),
    message(position),
    ...destination(place, senderId),
  ],
  begins: (event) => [{ property: 'content', after: wordsOf(event, ({ content }) => content) }],
  // A notice and a report may quote messages of others.
  author: ({ data }) => data.senderId,
});

const edited = describeEvent(ContentEdited, {
  meaning: 'The text of a message was replaced.',
  commands: ['EditMessage'],
  sentence: ({ data }) => ['edited the text of ', message(data.messageId)],
  changes: (event) => [{ property: 'content', after: wordsOf(event, ({ content }) => content), isWords: true }],
});

const previewed = describeEvent(LinksPreviewed, {
  meaning: 'The server looked at pages that a message links to, and noted what they say about themselves.',
  commands: ['PreviewLinks'],
  sentence: ({ data }) => ['noted what pages say that ', message(data.messageId), ' links to'],
});

const deleted = describeEvent(MessagesDeleted, {
  meaning: 'Messages of one place were deleted. Their texts are erased some days later.',
  commands: ['DeleteMessage', 'DeleteTopic', 'OrphanedMessages', 'UndoAct'],
  sentence: ({ data: { place, messageIds } }) => {
    const [first] = messageIds;
    const what =
      first !== undefined && messageIds.length === 1 ? message(first) : counted(messageIds.length, 'message');
    return ['deleted ', what, ...inPlace(place)];
  },
});

const restored = describeEvent(MessageRestored, {
  meaning: 'A deleted message is there again, with its text, reactions and flags.',
  commands: ['UndoAct'],
  sentence: ({ data: { messageId, place } }) => ['restored ', message(messageId), ...inPlace(place)],
  changes: () => [{ property: 'is_deleted', before: true, after: false }],
  author: ({ data }) => data.senderId,
});

const disownedDeleted = describeEvent(DisownedDeleted, {
  meaning: 'All messages of a deleted account that were to be deleted are deleted.',
  commands: ['OrphanedMessages'],
  sentence: ({ data }) => ['finished deleting messages of ', user(data.senderId)],
});

export const messageDescriptions: readonly EventDescription[] = [
  opened,
  sent,
  edited,
  previewed,
  deleted,
  restored,
  disownedDeleted,
];
