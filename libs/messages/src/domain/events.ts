import type { FactOf, Forgettable, MessageId, Position, Static, Subject, UserId } from '@annals/kernel/domain';
import {
  channelId,
  conversationId,
  count,
  defineEvent,
  fileId,
  groupId,
  messageId,
  nullable,
  t,
  topicId,
  userId,
  words as choice,
} from '@annals/kernel/domain';

/**
 * Stream `topic-{id}`. Its first message follows in the same append, or is moved there by it. Several topics of a channel may
 * have one name.
 */
export const TopicStarted = defineEvent('messages.TopicStarted', {
  data: t.Object({
    topicId,
    channelId,
    firstMessageId: messageId,
    /** Its name is the empty text, which must be known after names were erased. */
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
    /** Mentioned users who can read the message. */
    userIds: t.Array(userId),
    groupIds: t.Array(groupId),
    channelWildcard: t.Boolean(),
    topicWildcard: t.Boolean(),
    /** Of a topic wildcard: who had taken part in the topic when the text was written, its author included. */
    participantIds: t.Optional(t.Array(userId)),
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
      /**
       * Topics linked to, each with a message of it that the author could read: the link finds it wherever the topic goes.
       * Those without one are left out.
       */
      topics: t.Optional(t.Array(t.Object({ channelId, written: t.String(), messageId }))),
      /** The organization's own, each with the last part of the address of its picture. */
      emoji: t.Optional(t.Array(t.Object({ name: t.String(), file: t.String() }))),
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
    /** Of what the server itself says: who has read it by causing it, if anybody, and what it is about where that matters. */
    notice: t.Optional(t.Object({ readBy: nullable(userId), about: t.Optional(choice('resolution')) })),
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

/** Which messages of the topic move with the requested one: none, the later ones, or all. */
export const PROPAGATE_MODES = ['change_one', 'change_later', 'change_all'] as const;
export type PropagateMode = (typeof PROPAGATE_MODES)[number];

/** The request for a move: one message, and which others move with it. */
const request = { messageId, mode: choice(...PROPAGATE_MODES) };

/** Position at which a topic came into its channel where its messages do not tell it each for itself; 0 otherwise. */
const since = t.Integer({ minimum: 0 });

/**
 * Stream `topic-{id}`: a topic as a whole got another name, another channel, or both, with whatever is in it. One append
 * moves all topics that bear a name. A name that is there already makes them one for readers.
 */
export const TopicMoved = defineEvent('messages.TopicMoved', {
  data: t.Object({
    topicId,
    from: channelId,
    to: channelId,
    ...request,
    /** How many messages went along, those that came while it was decided left out. */
    messages: count,
    /** Its new name is the empty text. */
    unnamed: t.Optional(t.Literal(true)),
    /** What did not go along, because fewer stayed than went: it is now in a topic of the old name, begun for it. */
    left: t.Optional(t.Object({ topicId, messageIds: t.Array(messageId, { minItems: 1 }), since })),
  }),
  sealed: t.Object({ name: t.String(), previousName: t.String() }),
  subjects: (data) => [
    ['topic', data.topicId],
    ['channel', data.from],
    ...(data.to === data.from ? [] : [['channel', data.to] as const]),
  ],
});
export type TopicMoved = FactOf<typeof TopicMoved>;

const channelPlace = t.Object({ channelId, topicId });

/** Stream `topic-{id}` of the topic they were in: some of its messages went to another, which may have been begun for them. */
export const MessagesMoved = defineEvent('messages.MessagesMoved', {
  data: t.Object({
    from: channelPlace,
    to: channelPlace,
    ...request,
    /** Ascending. */
    messageIds: t.Array(messageId, { minItems: 1 }),
    since,
  }),
  subjects: (data) => [
    ...data.messageIds.map((id): Subject => ['message', id]),
    ['topic', data.from.topicId],
    ['topic', data.to.topicId],
    ['channel', data.from.channelId],
    ...(data.to.channelId === data.from.channelId ? [] : [['channel', data.to.channelId] as const]),
  ],
});
export type MessagesMoved = FactOf<typeof MessagesMoved>;

/** Stream `topic-{id}`: its last message was deleted. Who writes there again begins another. */
export const TopicEnded = defineEvent('messages.TopicEnded', {
  data: t.Object({ topicId, channelId }),
  sealed: t.Object({ name: t.String() }),
  subjects: (data) => [
    ['topic', data.topicId],
    ['channel', data.channelId],
  ],
});
export type TopicEnded = FactOf<typeof TopicEnded>;

/** Stream `deletions-{message}` of the first of them: messages of one place were deleted. */
export const MessagesDeleted = defineEvent('messages.MessagesDeleted', {
  data: t.Object({
    place,
    /** Ascending. */
    messageIds: t.Array(messageId, { minItems: 1 }),
    /** Where the channel protects its history: the positions at which they had come there, in the order of their ids. */
    arrived: t.Optional(t.Array(t.Integer({ minimum: 1 }))),
  }),
  subjects: (data) => [...data.messageIds.map((id): Subject => ['message', id]), ...placeAsSubjects(data.place)],
  erases: (data) =>
    data.messageIds.flatMap((id): Forgettable[] => [
      ['stream', `message-${id}`],
      ['quoted', id],
    ]),
});
export type MessagesDeleted = FactOf<typeof MessagesDeleted>;

/** Stream `disowned-{order}`: of the messages that somebody left to be deleted none is left. */
export const DisownedDeleted = defineEvent('messages.DisownedDeleted', {
  data: t.Object({
    senderId: userId,
    /** Position of the `users.MessagesDisowned` that asked for it. */
    order: t.Integer({ minimum: 1 }),
  }),
  subjects: (data) => [['user', data.senderId]],
});
export type DisownedDeleted = FactOf<typeof DisownedDeleted>;

/** Stream `first-message-{channel}`: the oldest message of a channel is another one, because it was moved or deleted. */
export const FirstMessageChanged = defineEvent('messages.FirstMessageChanged', {
  data: t.Object({ channelId, messageId: nullable(messageId) }),
  subjects: (data) => [['channel', data.channelId]],
});
export type FirstMessageChanged = FactOf<typeof FirstMessageChanged>;

export type TopicEvent = TopicStarted | TopicMoved | MessagesMoved | TopicEnded;
export type ConversationEvent = ConversationOpened;
export type MessageEvent = MessageSent | ContentEdited;

/** Every event of the context. */
export const MESSAGES_EVENTS = [
  TopicStarted,
  TopicMoved,
  MessagesMoved,
  TopicEnded,
  ConversationOpened,
  MessageSent,
  ContentEdited,
  MessagesDeleted,
  DisownedDeleted,
  FirstMessageChanged,
];

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
