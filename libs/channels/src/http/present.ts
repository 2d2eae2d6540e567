import type { UserId } from '@annals/kernel/domain';
import type { SubscribeResult } from '../application/subscribe';

/** @param fatal whether channels the caller cannot read were an error (contract/subscriptions.md section 2.2) */
export const presentSubscribed = ({ subscribed, already, unauthorized }: SubscribeResult, fatal: boolean) => ({
  subscribed: namesByUser(subscribed),
  already_subscribed: namesByUser(already),
  ...(!fatal && { unauthorized }),
});

const namesByUser = (names: ReadonlyMap<UserId, readonly string[]>): Record<string, readonly string[]> =>
  Object.fromEntries(names);
