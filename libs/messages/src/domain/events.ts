import type { FactOf, MessageId, Position, Static, Subject, UserId } from '@annals/kernel/domain';
import {
  channelId,
  conversationId,
  defineEvent,
  fileId,
  groupId,
  messageId,
  nullable,
  t,
  topicId,
  userId,
} from '@annals/kernel/domain';

/** Stream `topic-{id}`. Its first message follows in the same append. Several topics of a channel may bear one name. */
export const TopicStarted = defineEvent('messages.TopicStarted', {
  data: t.Object({
    topicId,
    channelId,
    firstMessageId: messageId,
    /** Its name is the empty text: one must know that after names were erased. */
    unnamed: t.Optional(t.Literal(true)),
  }),
  sealed: t.Object({ name: t.String() }),
  subjects: (data) => [
    ['topic', data.topicId],
    ['channel', data.channelId],
  ],
  references: ['firstMessageId'],
});
export type TopicStarted = FactOf<typeof TopicStarted>;

/** Stream `conversation-{ids}`: these people, the one who writes included, exchange direct messages. */
export const ConversationOpened = defineEvent('messages.ConversationOpened', {
  data: t.Object({ conversationId, userIds: t.Array(userId, { minItems: 1 }) }),
  subjects: (data) => [['conversation', data.conversationId], ...usersAsSubjects(data.userIds)],
});
export type ConversationOpened = FactOf<typeof ConversationOpened>;

/** What later rules and views need to know of a text, so that a replay gives the same rows after the text is erased. */
const contentFacts = {
  mentions: t.Object({
    /** People called who can read the message. */
    userIds: t.Array(userId),
    groupIds: t.Array(groupId),
    channelWildcard: t.Boolean(),
    topicWildcard: t.Boolean(),
  }),
  hasLink: t.Boolean(),
  hasImage: t.Boolean(),
  hasAttachment: t.Boolean(),
  isMe: t.Boolean(),
  /** Uploaded files it links to, ascending, of those that its author may have; left out when there is none. */
  files: t.Optional(t.Array(fileId)),
};

/**
 * A text and what its names meant to the author when it was written, so that it reads the same for ever, whoever is
 * renamed or leaves.
 */
const words = t.Object({
  content: t.String(),
  names: t.Optional(
    t.Object({
      users: t.Array(
        t.Object({
          /** As written: a name, an id, or both. */
          name: t.Optional(t.String()),
          id: t.Optional(t.Integer()),
          userId,
          fullName: t.String(),
        }),
      ),
      groups: t.Array(t.Object({ written: t.String(), groupId, name: t.String() })),
      channels: t.Array(t.Object({ written: t.String(), channelId, name: t.String() })),
    }),
  ),
});
export type Words = Static<typeof words>;
export type WrittenNames = NonNullable<Words['names']>;

const place = t.Union([
  t.Object({ channelId, topicId }),
  t.Object({
    conversationId,
    /** Everybody in the conversation, the sender included. */
    userIds: t.Array(userId, { minItems: 1 }),
  }),
]);
export type Place = Static<typeof place>;

/** Stream `message-{position}`: the position of this event is the message's id. */
export const MessageSent = defineEvent('messages.MessageSent', {
  data: t.Object({
    place,
    senderId: userId,
    ...contentFacts,
    /** Whether the sender has read the message by sending it. */
    readBySender: t.Boolean(),
    /** Of what the server itself says: who has read it by causing it, if anybody. */
    notice: t.Optional(t.Object({ readBy: nullable(userId) })),
    /** The client queue that is told which of its drafts this message came from; no part of history. */
    echo: t.Optional(t.Object({ queueId: t.String(), localId: t.String() })),
  }),
  sealed: words,
  subjects: (data, position) => [['message', position], ['user', data.senderId], ...placeAsSubjects(data.place)],
});
export type MessageSent = FactOf<typeof MessageSent>;
export type ContentFacts = Pick<MessageSent['data'], keyof typeof contentFacts>;

/** Stream `message-{id}`: the text was replaced. */
export const ContentEdited = defineEvent('messages.ContentEdited', {
  data: t.Object({ messageId, ...contentFacts }),
  sealed: words,
  subjects: (data) => [['message', data.messageId]],
});
export type ContentEdited = FactOf<typeof ContentEdited>;

export type TopicEvent = TopicStarted;
export type ConversationEvent = ConversationOpened;
export type MessageEvent = MessageSent | ContentEdited;

/** Names the event that follows in the same append; readers get its id. */
export const NEXT_EVENT = '+1' as unknown as MessageId;

/** A message's id is the position of its first event. */
export const messageIdAt = (position: Position): MessageId => position as number as MessageId;

const usersAsSubjects = (ids: readonly UserId[]) => ids.map((id): Subject => ['user', id]);

function placeAsSubjects(at: Place): Subject[] {
  return 'topicId' in at
    ? [
        ['topic', at.topicId],
        ['channel', at.channelId],
      ]
    : [['conversation', at.conversationId]];
}
