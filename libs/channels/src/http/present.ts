import type { UserId } from '@annals/kernel/domain';
import type { SubscribeResult } from '../application/subscribe';
import type { SubscribeParams } from './subscribe.params';

/**
 * What the request asked to be told (contract/subscriptions.md section 2.2).
 *
 * @param asked.authorization_errors_fatal whether channels the caller cannot read were an error
 * @param asked.send_new_subscription_messages whether the people concerned were to be written to; nobody can be yet
 */
export const presentSubscribed = (
  { subscribed, already, unauthorized }: SubscribeResult,
  asked: Pick<SubscribeParams, 'authorization_errors_fatal' | 'send_new_subscription_messages'>,
) => ({
  subscribed: namesByUser(subscribed),
  already_subscribed: namesByUser(already),
  ...(!asked.authorization_errors_fatal && { unauthorized }),
  ...(asked.send_new_subscription_messages && { new_subscription_messages_sent: false }),
});

const namesByUser = (names: ReadonlyMap<UserId, readonly string[]>): Record<string, readonly string[]> =>
  Object.fromEntries(names);
