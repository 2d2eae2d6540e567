import { defineProjection, on } from '@annals/kernel';
import type { TopicStarted } from '@annals/messages/events';

const topicStarted = { type: 'messages.TopicStarted' } as typeof TopicStarted;

/** What happens in a channel, as far as its readers see it on the channel. A row comes with the first message. */
export const activityView = defineProjection({
  name: 'channel_activity',
  version: 1,
  lifecycle: 'inline',
  tables: {
    channel_activity: {
      columns: { channel_id: 'int4', first_message_id: 'int8' },
      key: ['channel_id'],
    },
  },
  handlers: [
    // The first message of a channel begins a topic, so no later message needs to be looked at.
    on(topicStarted, ({ data }, rows) =>
      rows.insert('channel_activity', { channel_id: data.channelId, first_message_id: data.firstMessageId }),
    ),
  ],
});
