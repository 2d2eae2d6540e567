import type { ChannelId, UserId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { SubscriptionPropertyChanged } from '../events';
import type { PersonalProperty } from './personal-properties';
import { reject } from '../rejections';

/** Name of the stream of a user's settings for a channel. */
export const subscriptionStream = (user: UserId, channel: ChannelId): string => `subscription-${user}:${channel}`;

/**
 * Sets a property of a subscription. An equal value is an event too, because clients receive it
 * (contract/subscriptions.md section 4).
 *
 * @param isSubscribed whether the user is subscribed. The append must guard it
 * @throws Rejected BAD_REQUEST for a user who is not subscribed
 */
export function changeProperty(
  userId: UserId,
  channelId: ChannelId,
  isSubscribed: boolean,
  change: PersonalProperty,
): SubscriptionPropertyChanged[] {
  if (!isSubscribed) throw reject.notSubscribed({ channelId });
  return [fact(SubscriptionPropertyChanged, { userId, channelId, ...change })];
}
