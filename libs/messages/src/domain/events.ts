import type { FactOf, Erasable, MessageId, Static, Subject, Upcaster, UserId } from '@annals/kernel/domain';
import {
  channelId,
  conversationId,
  count,
  defineEvent,
  messageId,
  nullable,
  t,
  topicId,
  userId,
  words as choice,
} from '@annals/kernel/domain';
import { contentDefaults, contentFacts, language } from './message/content-facts';
import { noticeFacts } from './message/notice-facts';
import { sealedText } from './message/sealed-text';
import { MESSAGE_WIDGETS } from './widgets/widget-text';

export type { MessageContentFacts } from './message/content-facts';
export type { SealedText, WrittenNames } from './message/sealed-text';

/**
 * Stream `topic-{id}`. Its first message follows in the same append, or is moved there by it. Several topics of a
 * channel may have one name.
 */
export const TopicStarted = defineEvent('messages.TopicStarted', {
  data: t.Object({
    topicId,
    channelId,
    firstMessageId: messageId,
    language,
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

/** Stream `conversation-{ids}`: these users, with the sender, exchange direct messages. */
export const ConversationOpened = defineEvent('messages.ConversationOpened', {
  data: t.Object({ conversationId, userIds: t.Array(userId, { minItems: 1 }) }),
  subjects: (data) => [['conversation', data.conversationId], ...usersAsSubjects(data.userIds)],
});
export type ConversationOpened = FactOf<typeof ConversationOpened>;

export const place = t.Union([
  t.Object({ channelId, topicId }),
  t.Object({
    conversationId,
    /** All users of the conversation, also the sender. */
    userIds: t.Array(userId, { minItems: 1 }),
  }),
]);
export type Place = Static<typeof place>;

/** Version 2 leaves out facts that have their defaults. */
const sameShape: Upcaster = (old) => old;

/** Stream `message-{position}`: the position of this event is the message's id. */
export const MessageSent = defineEvent('messages.MessageSent', {
  v: 2,
  upcasters: { 1: sameShape },
  data: t.Object({
    place,
    senderId: userId,
    ...contentFacts,
    /** Whether the sender has read the message by sending it. */
    readBySender: t.Boolean(),
    notice: t.Optional(noticeFacts),
    widget: t.Optional(choice(...MESSAGE_WIDGETS)),
    /** The client queue that receives which of its drafts became this message. It is no part of history. */
    echo: t.Optional(t.Object({ queueId: t.String(), localId: t.String() })),
  }),
  defaults: { since: 2, values: { ...contentDefaults, readBySender: false } },
  /** A `zform` begins with what its program sent, as JSON. Other widgets begin with the text. */
  sealed: t.Object({ ...sealedText.properties, zform: t.Optional(t.String()) }),
  subjects: (data, position) => [['message', position], ['user', data.senderId], ...placeAsSubjects(data.place)],
});
export type MessageSent = FactOf<typeof MessageSent>;

/** Stream `message-{id}`: the text was replaced. */
export const ContentEdited = defineEvent('messages.ContentEdited', {
  v: 2,
  upcasters: { 1: sameShape },
  data: t.Object({ messageId, ...contentFacts }),
  defaults: { since: 2, values: contentDefaults },
  sealed: sealedText,
  subjects: (data) => [['message', data.messageId]],
});
export type ContentEdited = FactOf<typeof ContentEdited>;

/** Which messages of the topic move with the requested one: none, the later ones, or all. */
export const PROPAGATE_MODES = ['change_one', 'change_later', 'change_all'] as const;
export type PropagateMode = (typeof PROPAGATE_MODES)[number];

/** The request for a move: one message, and which others move with it. */
const request = { messageId, mode: choice(...PROPAGATE_MODES) };

/** Position at which a topic arrived in its channel, if that is not stored for each of its messages. 0 otherwise. */
const since = t.Integer({ minimum: 0 });

/**
 * Stream `topic-{id}`: a whole topic got another name, another channel, or both, with all its messages. One append
 * moves all topics with a name. If the new name exists already, readers see one topic.
 */
export const TopicMoved = defineEvent('messages.TopicMoved', {
  data: t.Object({
    topicId,
    from: channelId,
    to: channelId,
    ...request,
    /** How many messages moved, without those that arrived during the decision. */
    messages: count,
    language,
    /** Its new name is the empty text. */
    unnamed: t.Optional(t.Literal(true)),
    /**
     * The messages that did not move, if they are fewer than the others. They are now in a topic with the old name that
     * was started for them.
     */
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

/**
 * Stream `topic-{id}` of their former topic: some of its messages moved to another one, which may have been started for
 * them.
 */
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

/** Stream `topic-{id}`: its last message was deleted. A later message with the same name starts another topic. */
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
    /** If the channel has protected history: the positions at which they arrived there, in the order of their ids. */
    arrived: t.Optional(t.Array(t.Integer({ minimum: 1 }))),
  }),
  subjects: (data) => [...data.messageIds.map((id): Subject => ['message', id]), ...placeAsSubjects(data.place)],
  erases: (data) =>
    data.messageIds.flatMap((id): Erasable[] => [
      ['stream', `message-${id}`],
      ['quoted', id],
    ]),
});
export type MessagesDeleted = FactOf<typeof MessagesDeleted>;

/** Stream `disowned-{order}`: all messages that a deleted account's order applies to are deleted. */
export const DisownedDeleted = defineEvent('messages.DisownedDeleted', {
  data: t.Object({
    senderId: userId,
    /** Position of the `users.MessagesDisowned` with the order. */
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

/** Refers to the event that follows in the same append. Readers get its id. */
export const NEXT_EVENT = '+1' as unknown as MessageId;

const usersAsSubjects = (ids: readonly UserId[]) => ids.map((id): Subject => ['user', id]);

export function placeAsSubjects(at: Place): Subject[] {
  return 'topicId' in at
    ? [
        ['topic', at.topicId],
        ['channel', at.channelId],
      ]
    : [['conversation', at.conversationId]];
}
