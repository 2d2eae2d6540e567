import { defineProjection, on } from '@annals/kernel';
import { ConversationOpened, TopicStarted } from '../domain/events';
import { topicKey } from '../domain/topic';

/** Topics of channels; several may bear one name. */
export const topicsView = defineProjection({
  name: 'topics',
  version: 1,
  lifecycle: 'inline',
  tables: {
    topics: {
      columns: {
        topic_id: 'int4',
        channel_id: 'int4',
        name: 'text',
        /** What the name is found by, whatever its letter case. */
        name_key: 'text',
      },
      key: ['topic_id'],
      indexes: [{ on: ['channel_id', 'name_key'] }, { on: ['name_key'] }],
      sealed: ['name', 'name_key'],
    },
  },
  handlers: [
    on(TopicStarted, ({ data, sealed }, rows) => {
      const name = sealed === 'erased' ? `topic ${data.topicId}` : sealed.name;
      rows.insert('topics', {
        topic_id: data.topicId,
        channel_id: data.channelId,
        name,
        name_key: topicKey(name),
      });
    }),
  ],
});

/** Sets of people who exchange direct messages. */
export const conversationsView = defineProjection({
  name: 'conversations',
  version: 1,
  lifecycle: 'inline',
  tables: {
    conversations: {
      columns: {
        conversation_id: 'int4',
        /** Ascending. */
        user_ids: 'int8[]',
      },
      key: ['conversation_id'],
    },
    conversation_members: {
      columns: { user_id: 'int4', conversation_id: 'int4' },
      key: ['user_id', 'conversation_id'],
    },
  },
  handlers: [
    on(ConversationOpened, ({ data: { conversationId, userIds } }, rows) => {
      rows.insert('conversations', { conversation_id: conversationId, user_ids: userIds });
      for (const user_id of userIds) {
        rows.insert('conversation_members', { user_id, conversation_id: conversationId });
      }
    }),
  ],
});
