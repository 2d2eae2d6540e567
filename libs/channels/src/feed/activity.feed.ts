import { defineFeed, translate } from '@annals/kernel';
import type { ChannelId, ClientEvent } from '@annals/kernel/domain';
import { ActivityCounted, ActivityResumed } from '../domain/events';
import { channelEvent } from './payloads';

/** How busy channels are, as those see it who know of them (contract/channels.md section 5.1). */
export const activityFeed = defineFeed({
  name: 'channel_activity',
  facts: async () => null,
  translations: [
    translate(ActivityCounted, ({ data }) =>
      data.channels.flatMap(({ channelId, isRecentlyActive, weeklyTraffic }) => [
        ...(isRecentlyActive === undefined ? [] : [update(channelId, 'is_recently_active', isRecentlyActive)]),
        ...(weeklyTraffic === undefined ? [] : [update(channelId, 'stream_weekly_traffic', weeklyTraffic)]),
      ]),
    ),
    translate(ActivityResumed, ({ data }) => [update(data.channelId, 'is_recently_active', true)]),
  ],
});

const update = (
  channelId: ChannelId,
  property: 'is_recently_active' | 'stream_weekly_traffic',
  value: boolean | number | null,
): ClientEvent => channelEvent({ op: 'update', channelId, property, value }, { kind: 'metadata', channel: channelId });
