import { defineProjection, on } from '@annals/kernel';
import type { FirstMessageChanged, TopicStarted } from '@annals/messages/events';
import { ActivityCounted, ActivityResumed, ChannelCreated } from '../../domain/events';

const topicStarted = { type: 'messages.TopicStarted' } as typeof TopicStarted;
const firstMessageChanged = { type: 'messages.FirstMessageChanged' } as typeof FirstMessageChanged;

/** The activity of channels that is part of the channel object. */
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
        /** Messages per week. Null while the channel is too new for an average. */
        weekly_traffic: 'int4',
      },
      key: ['channel_id'],
      indexes: [{ on: ['channel_id'], where: 'NOT is_recently_active' }],
      // Activity of the past is not stored, so a channel has that of a new one.
      past: {
        query: (realm) => `SELECT a.realm_id, a.channel_id, NULL::int8 AS first_message_id, true AS is_recently_active,
          NULL::int4 AS weekly_traffic, a.last_position FROM view.channel_activity AS a WHERE a.realm_id = ${realm}`,
      },
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
    // The first message of a channel starts a topic, so later messages need not be read.
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
