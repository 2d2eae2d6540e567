import { defineProjection, on } from '@annals/kernel';
import type { TopicId } from '@annals/kernel/domain';
import { ConversationOpened, TopicEnded, TopicMoved, TopicStarted } from '../../domain/events';
import { REFILED_AT_MOST, topicKey } from '../../domain/topic';

/** The name of a topic whose name was erased. */
export const erasedTopic = (id: TopicId): string => `topic ${id}`;

/** Topics of channels; several may have one name. The present channel of a message follows from its topic's row. */
export const topicsView = defineProjection({
  name: 'topics',
  version: 3,
  lifecycle: 'inline',
  tables: {
    topics: {
      columns: {
        topic_id: 'int4',
        channel_id: 'int4',
        name: 'text',
        /** The name without letter case, for lookups. */
        name_key: 'text',
        /**
         * Position at which it arrived in its channel from another one, if that is not stored for each of its messages.
         * 0 otherwise.
         */
        arrived: 'int8',
        /** It had another name or channel before. */
        was_moved: 'bool',
        /** It was too large to store its messages under its new channel: they are found through the topic alone. */
        filed_elsewhere: 'bool',
      },
      key: ['topic_id'],
      indexes: [
        { on: ['channel_id', 'name_key'] },
        { on: ['name_key'] },
        { on: ['channel_id'], where: 'filed_elsewhere' },
      ],
      sealed: ['name', 'name_key'],
    },
    /** The earlier channels of topics, each until a position, and the last channel of a topic that ended. */
    topic_stays: {
      columns: { topic_id: 'int4', until: 'int8', channel_id: 'int4' },
      key: ['topic_id', 'until'],
      indexes: [{ on: ['channel_id', 'until'] }],
    },
  },
  handlers: [
    on(TopicStarted, ({ data, sealed }, rows) => {
      const name = sealed === 'erased' ? erasedTopic(data.topicId) : sealed.name;
      rows.insert('topics', {
        topic_id: data.topicId,
        channel_id: data.channelId,
        name,
        name_key: topicKey(name),
        arrived: 0,
        was_moved: false,
        filed_elsewhere: false,
      });
    }),
    on(TopicMoved, ({ data: { topicId, from, to, messages }, sealed, position }, rows) => {
      const name = sealed === 'erased' ? erasedTopic(topicId) : sealed.name;
      const isLarge = messages > REFILED_AT_MOST;
      const moved = from !== to && { channel_id: to, arrived: isLarge ? position : 0, filed_elsewhere: isLarge };
      rows.update('topics', { topic_id: topicId }, { name, name_key: topicKey(name), was_moved: true, ...moved });
      if (from !== to) rows.insert('topic_stays', { topic_id: topicId, until: position, channel_id: from });
    }),
    on(TopicEnded, ({ data: { topicId, channelId }, position }, rows) => {
      rows.delete('topics', { topic_id: topicId });
      rows.insert('topic_stays', { topic_id: topicId, until: position, channel_id: channelId });
    }),
  ],
});

/** Conversations: sets of users who exchange direct messages. */
export const conversationsView = defineProjection({
  name: 'conversations',
  version: 2,
  lifecycle: 'inline',
  tables: {
    conversations: {
      columns: {
        conversation_id: 'int4',
        /** Ascending. */
        user_ids: 'int8[]',
        opened_position: 'int8',
      },
      key: ['conversation_id'],
      past: 'added',
    },
    conversation_members: {
      columns: { user_id: 'int4', conversation_id: 'int4' },
      key: ['user_id', 'conversation_id'],
      past: 'added',
    },
  },
  handlers: [
    on(ConversationOpened, ({ data: { conversationId, userIds }, position }, rows) => {
      rows.insert('conversations', {
        conversation_id: conversationId,
        user_ids: userIds,
        opened_position: position,
      });
      for (const user_id of userIds) {
        rows.insert('conversation_members', { user_id, conversation_id: conversationId });
      }
    }),
  ],
});
