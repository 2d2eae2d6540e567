import { defineProjection, on } from '@annals/kernel';
import type { TopicEnded, TopicMoved, TopicStarted } from '@annals/messages/events';

const topicStarted = { type: 'messages.TopicStarted' } as typeof TopicStarted;
const topicMoved = { type: 'messages.TopicMoved' } as typeof TopicMoved;
const topicEnded = { type: 'messages.TopicEnded' } as typeof TopicEnded;

/** The topics that have a name: a channel with such a topic cannot be restricted to the empty one. */
export const namedTopicsView = defineProjection({
  name: 'named_topics',
  version: 1,
  lifecycle: 'inline',
  tables: {
    named_topics: {
      columns: { topic_id: 'int4', channel_id: 'int4' },
      key: ['topic_id'],
      indexes: [{ on: ['channel_id'] }],
    },
  },
  handlers: [
    on(topicStarted, ({ data }, rows) => {
      if (!data.unnamed) rows.insert('named_topics', { topic_id: data.topicId, channel_id: data.channelId });
    }),
    on(topicMoved, ({ data }, rows) => {
      if (data.unnamed) rows.delete('named_topics', { topic_id: data.topicId });
      else rows.upsert('named_topics', { topic_id: data.topicId, channel_id: data.to });
    }),
    on(topicEnded, ({ data }, rows) => rows.delete('named_topics', { topic_id: data.topicId })),
  ],
});
