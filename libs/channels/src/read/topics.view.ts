import { defineProjection, on } from '@annals/kernel';
import type { TopicStarted } from '@annals/messages/events';

const topicStarted = { type: 'messages.TopicStarted' } as typeof TopicStarted;

/** The channels in which a topic with a name was begun: they cannot be for the empty topic only. */
export const topicsView = defineProjection({
  name: 'channels_with_topics',
  version: 1,
  lifecycle: 'inline',
  tables: { channels_with_topics: { columns: { channel_id: 'int4' }, key: ['channel_id'] } },
  handlers: [
    on(topicStarted, ({ data }, rows) => {
      if (!data.unnamed) rows.insert('channels_with_topics', { channel_id: data.channelId });
    }),
  ],
});
