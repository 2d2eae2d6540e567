import { defineFeed, translate } from '@annals/kernel';
import type { ChannelId, ClientEvent } from '@annals/kernel/domain';
import { ActivityCounted, ActivityResumed } from '../domain/events';
import type { ChannelPayload } from './payloads';

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

function update(channelId: ChannelId, property: string, value: boolean | number | null): ClientEvent {
  const payload: ChannelPayload = { op: 'update', channelId, property, value };
  return { type: 'stream', audience: { kind: 'metadata', channel: channelId }, payload: { ...payload } };
}
