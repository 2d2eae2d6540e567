import type { Instant, MessageId, UserId } from '@annals/kernel/domain';
import { unixSeconds } from '@annals/kernel/domain';
import { topicLinks } from '@annals/markdown';
import { EMPTY_TOPIC_DISPLAY_NAME } from '@annals/realm';
import { avatarUrlFor, emailFor, hasOpenEmail } from '@annals/users';
import type { UserRow, Viewer } from '@annals/users';
import type { LoadedMessages, MessageRow } from './message-row';
import type { Reaction } from '../reactions/reactions';
import type { Submessage } from '../widgets/submessages';
import { ERASED_CONTENT } from './rendering';
import type { MessageChange } from './changes';
import { isChannelChanged, isTopicChanged } from './changes';
import type { Text } from './texts';

/** The options of a client for messages, and its user. */
export interface MessageFormat {
  readonly viewer: Viewer;
  /** HTML rather than Markdown. */
  readonly applyMarkdown: boolean;
  /** The client computes the URLs of gravatar pictures itself. */
  readonly clientGravatar: boolean;
  /** The client supports topics without a name. */
  readonly allowEmptyTopicName: boolean;
}

/** The Markdown source, or a placeholder after it was erased. */
export const sourceOf = ({ content }: Text): string => content ?? ERASED_CONTENT;

export const shownTopic = (topic: string, allowEmpty: boolean): string =>
  topic === '' && !allowEmpty ? EMPTY_TOPIC_DISPLAY_NAME : topic;

/** The message object (contract/boot.md section 9), without flags. */
export function presentMessage(id: MessageId, loaded: LoadedMessages, look: MessageFormat) {
  const row = loaded.rows.get(id);
  if (!row) throw new Error(`message ${id} does not exist`);
  const text = look.applyMarkdown ? loaded.rendered.of(row.text) : sourceOf(row.text);
  return {
    ...presentContent(row, text, look.applyMarkdown),
    ...presentSender(row.senderId, loaded, look),
    ...presentPlace(row, loaded, look),
    ...presentActivity(id, loaded, look.allowEmptyTopicName),
  };
}

/** The fields that are the same for all readers until the message is edited. @param text HTML or Markdown */
export const presentContent = (row: MessageRow, text: string, asHtml: boolean) => ({
  id: row.id,
  sender_id: row.senderId,
  client: row.client,
  content: text,
  content_type: asHtml ? 'text/html' : 'text/x-markdown',
  is_me_message: row.isMe,
  timestamp: unixSeconds(row.sentAt),
  ...(row.editedAt !== null && { last_edit_timestamp: unixSeconds(row.editedAt) }),
});

/** The fields about the sender, beside their id. */
export function presentSender(senderId: UserId, loaded: LoadedMessages, { viewer, clientGravatar }: MessageFormat) {
  const sender = personOf(senderId, loaded);
  return {
    sender_email: emailFor(sender, viewer),
    sender_full_name: sender.fullName,
    sender_realm_str: loaded.subdomain,
    avatar_url: avatarUrlFor(sender, viewer, clientGravatar && hasOpenEmail(sender)),
  };
}

/** The fields of a message that change after it was sent. */
export const presentActivity = (id: MessageId, loaded: LoadedMessages, allowEmptyTopicName: boolean) => ({
  reactions: (loaded.reactions.get(id) ?? []).map(presentReaction),
  submessages: (loaded.submessages.get(id) ?? []).map((one) => presentSubmessage(id, one)),
  ...presentMoved(loaded.movedAt.get(id)),
  ...presentChanges(loaded.changes.get(id) ?? [], loaded, allowEmptyTopicName),
});

/** contract/boot.md section 7.5 */
export const presentReaction = ({ userId, type, code, name }: Reaction) => ({
  user_id: userId,
  emoji_name: name,
  emoji_code: code,
  reaction_type: type,
});

/** contract/boot.md section 7.7 */
export const presentSubmessage = (messageId: MessageId, { id, userId, content }: Submessage) => ({
  id,
  message_id: messageId,
  sender_id: userId,
  msg_type: 'widget',
  content,
});

/** The channel and topic, or the users of the conversation; the recipient's id is from one id space (contract/messages.md section 2). */
export function presentPlace(row: MessageRow, loaded: LoadedMessages, { viewer, allowEmptyTopicName }: MessageFormat) {
  if (row.channelId !== null) {
    return {
      type: 'stream',
      stream_id: row.channelId,
      display_recipient: row.channelName ?? '',
      recipient_id: 2 * row.channelId,
      subject: shownTopic(row.topic ?? '', allowEmptyTopicName),
      topic_links: topicLinks(row.topic ?? '', loaded.linkifiers),
    };
  }
  return {
    type: 'private',
    display_recipient: row.userIds.map((userId) => {
      const person = personOf(userId, loaded);
      return { id: userId, email: emailFor(person, viewer), full_name: person.fullName, is_mirror_dummy: false };
    }),
    recipient_id: 2 * (row.conversationId ?? 0) + 1,
    subject: '',
    topic_links: [],
  };
}

const presentMoved = (at: Instant | undefined) => (at === undefined ? {} : { last_moved_timestamp: unixSeconds(at) });

/** contract/messages.md section 5.5 */
function presentChanges(changes: readonly MessageChange[], loaded: LoadedMessages, allowEmptyTopicName: boolean) {
  if (changes.length === 0) return {};
  const edit_history = changes.map(({ by, at, edit, move }) => ({
    user_id: by,
    timestamp: unixSeconds(at),
    ...(edit && presentPrevious(edit.previous, loaded)),
    ...(move && isTopicChanged(move) && presentTopics(move, allowEmptyTopicName)),
    ...(move && isChannelChanged(move) && { prev_stream: move.from.channelId, stream: move.to.channelId }),
  }));
  return { edit_history };
}

const presentPrevious = (previous: Text, { rendered }: LoadedMessages) => ({
  prev_content: sourceOf(previous),
  prev_rendered_content: rendered.of(previous),
});

const presentTopics = ({ from, to }: NonNullable<MessageChange['move']>, allowEmptyTopicName: boolean) => ({
  prev_topic: shownTopic(from.topic, allowEmptyTopicName),
  topic: shownTopic(to.topic, allowEmptyTopicName),
});

function personOf(userId: UserId, { users }: LoadedMessages): UserRow {
  const user = users.get(userId);
  if (!user) throw new Error(`account ${userId} does not exist`);
  return user;
}
