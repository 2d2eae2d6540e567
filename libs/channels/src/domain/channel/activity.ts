import type { ChannelId, Instant } from '@annals/kernel/domain';
import { DAY_MS, defineAggregate, fact } from '@annals/kernel/domain';
import { ActivityCounted } from '../events';

/** Days without a message after which a channel no longer counts as recently active (contract/channels.md section 1). */
export const SILENT_DAYS = 180;
/** Days over which traffic is averaged. A younger channel may have no average. */
export const TRAFFIC_DAYS = 28;
const TOO_NEW_DAYS = 7;
/** An event has room for more. A realm with so many busy channels gets several a day. */
const CHANNELS_PER_EVENT = 5_000;

/** Days since the beginning of 1970, UTC. */
export const dayOf = (at: Instant): number => Math.floor(at / DAY_MS);

/** Name of the stream with the event that a channel counts as active again. */
export const activityStream = (channel: ChannelId): string => `activity-${channel}`;

/** Whether a day was counted. The key is the day. Of two concurrent workers, one finds the stream already started. */
export const countOfDay = defineAggregate<boolean, ActivityCounted>('activity-of-day', false, () => true);

/** A channel with its presented activity, and what was counted when a day began. */
export interface CountedChannel {
  readonly id: ChannelId;
  readonly createdAt: Instant;
  readonly isRecentlyActive: boolean;
  readonly weeklyTraffic: number | null;
  /** Whether it was created, or got a message, within the last 180 days or later. */
  readonly hasLife: boolean;
  /** Messages of the last 28 days. */
  readonly messages: number;
}

/**
 * Computes the activity of channels for a day (contract/channels.md section 1).
 *
 * @param isCounted whether another worker has counted this day
 * @returns no events if nothing changes
 */
export function countActivity(isCounted: boolean, day: number, channels: readonly CountedChannel[]): ActivityCounted[] {
  if (isCounted) return [];
  const changed = channels.flatMap((channel) => changeOf(channel, day));
  const facts: ActivityCounted[] = [];
  for (let from = 0; from < changed.length; from += CHANNELS_PER_EVENT) {
    facts.push(fact(ActivityCounted, { day, channels: changed.slice(from, from + CHANNELS_PER_EVENT) }));
  }
  return facts;
}

function changeOf(channel: CountedChannel, day: number): ActivityCounted['data']['channels'] {
  const traffic = weeklyTraffic(channel, day);
  const isActiveChanged = channel.hasLife !== channel.isRecentlyActive;
  const isTrafficChanged = traffic !== channel.weeklyTraffic;
  if (!isActiveChanged && !isTrafficChanged) return [];
  return [
    {
      channelId: channel.id,
      ...(isActiveChanged && { isRecentlyActive: channel.hasLife }),
      ...(isTrafficChanged && { weeklyTraffic: traffic }),
    },
  ];
}

/** Average number of messages per week, of as many of the last 28 days as the channel has existed. */
function weeklyTraffic({ createdAt, messages }: CountedChannel, day: number): number | null {
  const age = Math.floor((day * DAY_MS - createdAt) / DAY_MS);
  return age < TOO_NEW_DAYS ? null : Math.round((messages * 7) / Math.min(age, TRAFFIC_DAYS));
}
