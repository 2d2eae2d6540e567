import { defineFeed, translate } from '@annals/kernel';
import type { ChannelId, ClientEvent } from '@annals/kernel/domain';
import type { FirstMessageChanged } from '@annals/messages/events';
import { ActivityCounted, ActivityResumed } from '../../domain/events';
import { channelEvent } from '../payloads';

const firstMessageChanged = { type: 'messages.FirstMessageChanged' } as typeof FirstMessageChanged;

/**
 * Events of the activity and the first message of channels, for users who can see them (contract/channels.md section
 * 5.1).
 */
export const activityFeed = defineFeed({
  name: 'channel_activity',
  translations: [
    translate(ActivityCounted, ({ data }) =>
      data.channels.flatMap(({ channelId, isRecentlyActive, weeklyTraffic }) => [
        ...(isRecentlyActive === undefined ? [] : [update(channelId, 'is_recently_active', isRecentlyActive)]),
        ...(weeklyTraffic === undefined ? [] : [update(channelId, 'stream_weekly_traffic', weeklyTraffic)]),
      ]),
    ),
    translate(ActivityResumed, ({ data }) => [update(data.channelId, 'is_recently_active', true)]),
    translate(firstMessageChanged, ({ data }) => [update(data.channelId, 'first_message_id', data.messageId)]),
  ],
});

const update = (
  channelId: ChannelId,
  property: 'first_message_id' | 'is_recently_active' | 'stream_weekly_traffic',
  value: boolean | number | null,
): ClientEvent => channelEvent({ op: 'update', channelId, property, value }, { kind: 'metadata', channel: channelId });
