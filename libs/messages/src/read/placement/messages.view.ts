import type { RowChanges } from '@annals/kernel';
import { atLeast, defineProjection, on } from '@annals/kernel';
import type { MessageId, Recorded } from '@annals/kernel/domain';
import { messageIdAt } from '@annals/kernel/domain';
import { REFILED_AT_MOST } from '../../domain/topic';
import type { MessageContentFacts, Place } from '../../domain/events';
import { ContentEdited, MessageSent, MessagesDeleted, MessagesMoved, TopicMoved } from '../../domain/events';
import { SERVER_CLIENT, readBy } from '../../domain/restoration';
import { MessageRestored } from '../../domain/restored-event';

/** The place of each message and facts about its text; the text itself is in the log at `content_position`. */
export const messagesView = defineProjection({
  name: 'messages',
  version: 12,
  lifecycle: 'inline',
  tables: {
    messages: {
      columns: {
        message_id: 'int8',
        sender_id: 'int4',
        /**
         * Of a channel message: the channel that it is stored under. Its real channel is that of its topic, which is
         * another one only for topics that are `filed_elsewhere`.
         */
        channel_id: 'int4',
        topic_id: 'int4',
        /** Of a channel message: the channel that it was sent to. */
        sent_channel_id: 'int4',
        /** Of a direct message. */
        conversation_id: 'int4',
        /** Position of the event that holds the current text. */
        content_position: 'int8',
        /**
         * Position at which the message arrived in its channel. The row of its topic has a later one if the topic was
         * moved since.
         */
        arrived: 'int8',
        /** It was moved to its topic from another one. */
        was_moved: 'bool',
        /** Milliseconds. */
        sent_at: 'int8',
        /** Name of the client program; notices have the server's. */
        client: 'text',
        is_me: 'bool',
        has_link: 'bool',
        has_image: 'bool',
        has_attachment: 'bool',
        /** Groups that the text mentions; null when there are none. */
        mentioned_groups: 'int8[]',
        channel_wildcard: 'bool',
        /** Users whom a topic wildcard mentions; null when there is no wildcard. */
        topic_participants: 'int8[]',
        /** Users who had an alert word in the text when it was written; null when there is none. */
        alerted_users: 'int8[]',
        /** The user who had read the message when it was sent, because they sent or caused it. Null for nobody. */
        read_by: 'int4',
        /** The only users for whom a notice arrived unread; null for all who received the message. */
        unread_for: 'int8[]',
        /** In ms; null while the message is unedited. */
        edited_at: 'int8',
      },
      key: ['message_id'],
      indexes: [
        { on: ['channel_id', 'message_id'], where: 'channel_id IS NOT NULL' },
        { on: ['topic_id', 'message_id'], where: 'topic_id IS NOT NULL' },
        { on: ['conversation_id', 'message_id'], where: 'conversation_id IS NOT NULL' },
        { on: ['sender_id', 'message_id'] },
        { on: ['sent_channel_id', 'message_id'], where: 'sent_channel_id <> channel_id' },
        { on: ['channel_id', 'message_id'], where: 'arrived <> message_id' },
        { on: ['message_id'], where: 'alerted_users IS NOT NULL' },
        {
          on: ['message_id'],
          where: 'mentioned_groups IS NOT NULL OR channel_wildcard OR topic_participants IS NOT NULL',
        },
      ],
    },
    /**
     * Users whom the message mentioned by name when it was sent: they received it, subscribed or not. An edit does not
     * change them.
     */
    mentioned_when_sent: {
      columns: { message_id: 'int8', user_id: 'int4' },
      key: ['message_id', 'user_id'],
      indexes: [{ on: ['user_id', 'message_id'] }],
    },
    /** Users whom the present text mentions by name, without groups and wildcards. */
    mentions: {
      columns: { message_id: 'int8', user_id: 'int4' },
      key: ['message_id', 'user_id'],
      indexes: [{ on: ['user_id', 'message_id'] }],
    },
    /** Deleted messages of channels, also restored ones, for readers that handle earlier events late, and for readers of the past. */
    deleted_messages: {
      columns: {
        message_id: 'int8',
        channel_id: 'int4',
        topic_id: 'int4',
        position: 'int8',
        /** Position at which it was restored; null while it is deleted. */
        until: 'int8',
      },
      key: ['message_id', 'position'],
      indexes: [
        { on: ['channel_id', 'position'] },
        { on: ['topic_id', 'position'] },
        { on: ['channel_id', 'message_id'] },
        { on: ['topic_id', 'message_id'] },
      ],
    },
    /** Deleted messages of conversations, for readers of the past. */
    deleted_direct_messages: {
      columns: { message_id: 'int8', conversation_id: 'int4', position: 'int8', until: 'int8' },
      key: ['message_id', 'position'],
      indexes: [{ on: ['conversation_id', 'message_id'] }],
    },
    /** Moves of messages from one topic to another without their topic, also of deleted messages. */
    message_moves: {
      columns: {
        message_id: 'int8',
        position: 'int8',
        /** The topic they were moved from. */
        topic_id: 'int4',
      },
      key: ['message_id', 'position'],
      indexes: [{ on: ['position'] }, { on: ['topic_id', 'message_id'] }],
    },
  },
  handlers: [
    on(MessageSent, ({ data, position, at, client }, rows) => {
      const message_id = messageIdAt(position);
      rows.insert('messages', {
        message_id,
        sender_id: data.senderId,
        ...placeColumns(data.place),
        content_position: position,
        arrived: position,
        was_moved: false,
        sent_at: at,
        client: data.notice ? SERVER_CLIENT : client,
        ...contentColumns(data),
        read_by: readBy(data),
        unread_for: data.notice?.unreadFor ?? null,
        edited_at: null,
      });
      insertPeople(rows, 'mentioned_when_sent', message_id, data);
      insertPeople(rows, 'mentions', message_id, data);
    }),
    on(ContentEdited, ({ data, position, at }, rows) => {
      const message_id = data.messageId;
      rows.update('messages', { message_id }, { ...contentColumns(data), content_position: position, edited_at: at });
      rows.delete('mentions', { message_id });
      insertPeople(rows, 'mentions', message_id, data);
    }),
    on(TopicMoved, ({ data: { topicId, from, to, messages, left }, position }, rows) => {
      for (const message_id of left?.messageIds ?? []) {
        const stays = { topic_id: left?.topicId ?? null, channel_id: from, arrived: atLeast(left?.since ?? 0) };
        rows.update('messages', { message_id }, { ...stays, was_moved: true });
        rows.insert('message_moves', { message_id, position, topic_id: topicId });
      }
      if (from !== to && messages <= REFILED_AT_MOST) {
        rows.update('messages', { topic_id: topicId }, { channel_id: to, arrived: position });
      }
    }),
    on(MessagesMoved, ({ data: { from, to, messageIds, since }, position }, rows) => {
      const arrived = from.channelId === to.channelId ? atLeast(since) : position;
      for (const message_id of messageIds) {
        const there = { topic_id: to.topicId, channel_id: to.channelId, arrived, was_moved: true };
        rows.update('messages', { message_id }, there);
        rows.insert('message_moves', { message_id, position, topic_id: from.topicId });
      }
    }),
    on(MessagesDeleted, ({ data, position }, rows) => {
      const [table, place] = deletedFrom(data.place);
      for (const message_id of data.messageIds) {
        for (const one of ['messages', 'mentioned_when_sent', 'mentions']) rows.delete(one, { message_id });
        rows.insert(table, { message_id, ...place, position, until: null });
      }
    }),
    on(MessageRestored, restored),
  ],
});

const placeColumns = (place: Place) =>
  'topicId' in place
    ? { channel_id: place.channelId, sent_channel_id: place.channelId, topic_id: place.topicId, conversation_id: null }
    : { channel_id: null, sent_channel_id: null, topic_id: null, conversation_id: place.conversationId };

/** The table of deleted messages of a place, and its columns. */
const deletedFrom = (place: Place) =>
  'topicId' in place
    ? (['deleted_messages', { channel_id: place.channelId, topic_id: place.topicId }] as const)
    : (['deleted_direct_messages', { conversation_id: place.conversationId }] as const);

/** The event has all facts of the message. A message of a topic that ended left this topic now. */
function restored({ data, position }: Recorded<MessageRestored>, rows: RowChanges): void {
  const { messageId: message_id, endedTopicId: topic_id } = data;
  const [table] = deletedFrom(data.place);
  rows.update(table, { message_id, position: data.deletedAt }, { until: position });
  if (topic_id !== undefined) rows.insert('message_moves', { message_id, position, topic_id });
  rows.insert('messages', {
    message_id,
    sender_id: data.senderId,
    ...placeColumns(data.place),
    sent_channel_id: data.sentTo,
    content_position: data.contentPosition,
    arrived: data.arrived,
    was_moved: data.wasMoved || topic_id !== undefined,
    sent_at: data.sentAt,
    client: data.client,
    ...contentColumns(data),
    read_by: data.readBy,
    unread_for: data.unreadFor,
    edited_at: data.editedAt,
  });
  for (const user_id of data.mentionedWhenSent) rows.insert('mentioned_when_sent', { message_id, user_id });
  insertPeople(rows, 'mentions', message_id, data);
}

const contentColumns = ({ mentions, ...facts }: MessageContentFacts) => ({
  is_me: facts.isMe,
  has_link: facts.hasLink,
  has_image: facts.hasImage,
  has_attachment: facts.hasAttachment,
  mentioned_groups: mentions.groupIds.length === 0 ? null : mentions.groupIds,
  channel_wildcard: mentions.channelWildcard,
  topic_participants: mentions.participantIds ?? null,
  alerted_users: mentions.alertedIds ?? null,
});

function insertPeople(
  rows: RowChanges,
  table: 'mentioned_when_sent' | 'mentions',
  message_id: MessageId,
  { mentions }: MessageContentFacts,
): void {
  for (const user_id of mentions.userIds) rows.insert(table, { message_id, user_id });
}
