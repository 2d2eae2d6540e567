import type { UserId } from '@annals/kernel/domain';
import type { UnsubscriptionOutcome } from '../application/subscription/unsubscription-effects';
import type { SubscribeResult } from '../application/subscription/subscribe';
import type { SubscribeParams } from './subscribe.params';

/**
 * The answer to a subscription (contract/subscriptions.md section 2.2).
 *
 * @param asked.authorization_errors_fatal whether channels that the actor cannot read were an error
 */
export const presentSubscribed = (
  { subscribed, already, unauthorized, messagesSent }: SubscribeResult,
  asked: Pick<SubscribeParams, 'authorization_errors_fatal'>,
) => ({
  subscribed: namesByUser(subscribed),
  already_subscribed: namesByUser(already),
  ...(!asked.authorization_errors_fatal && { unauthorized }),
  ...(messagesSent !== null && { new_subscription_messages_sent: messagesSent }),
});

const namesByUser = (names: ReadonlyMap<UserId, readonly string[]>): Record<string, readonly string[]> =>
  Object.fromEntries(names);

/** contract/subscriptions.md section 3 */
export const presentUnsubscribed = ({ removed, notRemoved }: UnsubscriptionOutcome) => ({
  removed,
  not_removed: notRemoved,
});
