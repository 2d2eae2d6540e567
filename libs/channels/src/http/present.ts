import type { UserId } from '@annals/kernel/domain';
import { MAX_BULK_NEW_SUBSCRIPTION_MESSAGES } from '@annals/realm';
import type { Left } from '../application/leaving';
import type { SubscribeResult } from '../application/subscribe';
import type { SubscribeParams } from './subscribe.params';

/**
 * What the request asked to be told (contract/subscriptions.md section 2.2).
 *
 * @param asked.authorization_errors_fatal whether channels the caller cannot read were an error
 * @param asked.send_new_subscription_messages whether the people concerned were to be written to; nobody is when they
 *   are too many
 */
export const presentSubscribed = (
  { subscribed, already, unauthorized }: SubscribeResult,
  asked: Pick<SubscribeParams, 'authorization_errors_fatal' | 'send_new_subscription_messages'>,
) => ({
  subscribed: namesByUser(subscribed),
  already_subscribed: namesByUser(already),
  ...(!asked.authorization_errors_fatal && { unauthorized }),
  ...(asked.send_new_subscription_messages && {
    new_subscription_messages_sent: subscribed.size <= MAX_BULK_NEW_SUBSCRIPTION_MESSAGES,
  }),
});

const namesByUser = (names: ReadonlyMap<UserId, readonly string[]>): Record<string, readonly string[]> =>
  Object.fromEntries(names);

/** contract/subscriptions.md section 3 */
export const presentLeft = ({ removed, notRemoved }: Left) => ({ removed, not_removed: notRemoved });
