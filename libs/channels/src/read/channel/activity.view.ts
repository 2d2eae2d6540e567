import { defineProjection, on } from '@annals/kernel';
import type { FirstMessageChanged, TopicStarted } from '@annals/messages/events';
import { ActivityCounted, ActivityResumed, ChannelCreated } from '../../domain/events';

const topicStarted = { type: 'messages.TopicStarted' } as typeof TopicStarted;
const firstMessageChanged = { type: 'messages.FirstMessageChanged' } as typeof FirstMessageChanged;

/** What happens in a channel, as far as its readers see it on the channel. */
export const activityView = defineProjection({
  name: 'channel_activity',
  version: 3,
  lifecycle: 'inline',
  tables: {
    channel_activity: {
      columns: {
        channel_id: 'int4',
        first_message_id: 'int8',
        is_recently_active: 'bool',
        /** Messages per week; null while the channel is too new to tell. */
        weekly_traffic: 'int4',
      },
      key: ['channel_id'],
      indexes: [{ on: ['channel_id'], where: 'NOT is_recently_active' }],
    },
  },
  handlers: [
    on(ChannelCreated, ({ data }, rows) =>
      rows.insert('channel_activity', {
        channel_id: data.channelId,
        first_message_id: null,
        is_recently_active: true,
        weekly_traffic: null,
      }),
    ),
    // The first message of a channel begins a topic, so no later message needs to be looked at.
    on(topicStarted, ({ data }, rows) => {
      const unwritten = { channel_id: data.channelId, first_message_id: null };
      rows.update('channel_activity', unwritten, { first_message_id: data.firstMessageId });
    }),
    on(firstMessageChanged, ({ data }, rows) =>
      rows.update('channel_activity', { channel_id: data.channelId }, { first_message_id: data.messageId }),
    ),
    on(ActivityCounted, ({ data }, rows) => {
      for (const { channelId, isRecentlyActive, weeklyTraffic } of data.channels) {
        const changed = {
          ...(isRecentlyActive !== undefined && { is_recently_active: isRecentlyActive }),
          ...(weeklyTraffic !== undefined && { weekly_traffic: weeklyTraffic }),
        };
        rows.update('channel_activity', { channel_id: channelId }, changed);
      }
    }),
    on(ActivityResumed, ({ data }, rows) =>
      rows.update('channel_activity', { channel_id: data.channelId }, { is_recently_active: true }),
    ),
  ],
});
