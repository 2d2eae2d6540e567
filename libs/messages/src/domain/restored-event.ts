import type { Erasable, FactOf, MessageId } from '@annals/kernel/domain';
import { channelId, defineEvent, messageId, nullable, t, topicId, userId } from '@annals/kernel/domain';
import { place, placeAsSubjects } from './events';
import { contentFacts } from './message/content-facts';

/**
 * Stream `restoration-{id}`: a deleted message is there again, with its id, sender, time, reactions and flags. It has
 * all facts of the message, as read models removed them. The text is that of the event at `contentPosition`, and is
 * repeated for the search. The erasure of the message is withdrawn.
 */
export const MessageRestored = defineEvent('messages.MessageRestored', {
  data: t.Object({
    messageId,
    /** Position of the event that deleted it. */
    deletedAt: t.Integer({ minimum: 1 }),
    place,
    /** The topic from which it was deleted, if that ended: then the place has a new topic with the same name. */
    endedTopicId: t.Optional(topicId),
    senderId: userId,
    /** The channel it was sent to; null for a direct message. */
    sentTo: nullable(channelId),
    /** Facts about the present text. */
    ...contentFacts,
    /** Position of the event that holds the present text. */
    contentPosition: t.Integer({ minimum: 1 }),
    /** Position at which it had arrived in its channel. */
    arrived: t.Integer({ minimum: 1 }),
    wasMoved: t.Boolean(),
    /** Milliseconds. */
    sentAt: t.Integer(),
    /** Milliseconds; null for an unedited message. */
    editedAt: nullable(t.Integer()),
    client: t.String(),
    /** The user who had read it when it was sent, because they sent or caused it. */
    readBy: nullable(userId),
    /** Of a notice: the only users for whom it arrived unread; null for all. */
    unreadFor: nullable(t.Array(userId)),
    /** Users whom it mentioned by name when it was sent. */
    mentionedWhenSent: t.Array(userId),
  }),
  sealed: t.Object({ content: t.String() }),
  subjects: (data) => [['message', data.messageId], ['quoted', data.messageId], ...placeAsSubjects(data.place)],
  withdraws: (data) => erasablesOf(data.messageId).map((erasable) => ({ order: data.deletedAt, erasable })),
});
export type MessageRestored = FactOf<typeof MessageRestored>;

/** What the deletion of a message erases. */
const erasablesOf = (id: MessageId): Erasable[] => [
  ['stream', `message-${id}`],
  ['quoted', id],
];
