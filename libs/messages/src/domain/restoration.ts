import type { MessageId, Position, Recorded, TopicId, UserId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import type { ContentEdited, MessageContentFacts, MessageSent, Place } from './events';
import { MessageRestored } from './restored-event';

/** A deleted message, as the log and the read models of the past have it. */
export interface DeletedMessage {
  readonly id: MessageId;
  readonly deletedAt: Position;
  readonly sent: Recorded<MessageSent>;
  /** The event with its present text. */
  readonly text: Recorded<MessageSent | ContentEdited>;
  /** Position at which it had arrived in its channel. */
  readonly arrived: Position;
  /** It was moved to its topic from another one. */
  readonly wasMoved: boolean;
}

/** Where a deleted message is restored. */
export interface RestoredPlace {
  readonly place: Place;
  /** The topic from which it was deleted, if a new one takes its place. */
  readonly endedTopicId: TopicId | null;
}

/** The client of notices (contract/messages.md section 2, `client`). */
export const SERVER_CLIENT = 'Internal';

/** The user who had read a message when it was sent, because they sent or caused it. */
export function readBy({ notice, readBySender, senderId }: MessageSent['data']): UserId | null {
  if (notice) return notice.readBy;
  return readBySender ? senderId : null;
}

/** Whether the present text of a deleted message is still in the log. */
export const hasText = ({ text }: DeletedMessage): boolean => text.sealed !== 'erased';

/** Restores a message. @throws Error if its text was erased */
export function restore(message: DeletedMessage, { place, endedTopicId }: RestoredPlace): MessageRestored {
  const { id, deletedAt, sent, text, arrived, wasMoved } = message;
  if (text.sealed === 'erased') throw new Error(`the text of message ${id} was erased`);
  const { senderId, notice, mentions } = sent.data;
  const data = {
    messageId: id,
    deletedAt,
    place,
    ...(endedTopicId !== null && { endedTopicId }),
    senderId,
    sentTo: 'channelId' in sent.data.place ? sent.data.place.channelId : null,
    ...contentFactsOf(text.data),
    contentPosition: text.position,
    arrived,
    wasMoved,
    sentAt: sent.at,
    editedAt: text.position === sent.position ? null : text.at,
    client: notice ? SERVER_CLIENT : sent.client,
    readBy: readBy(sent.data),
    unreadFor: notice?.unreadFor ? [...notice.unreadFor] : null,
    mentionedWhenSent: [...mentions.userIds],
  };
  return fact(MessageRestored, data, { content: text.sealed.content });
}

function contentFactsOf(data: MessageContentFacts): MessageContentFacts {
  const { mentions, hasLink, hasImage, hasAttachment, isMe, files, language } = data;
  return {
    mentions,
    hasLink,
    hasImage,
    hasAttachment,
    isMe,
    ...(files && { files }),
    ...(language !== undefined && { language }),
  };
}
