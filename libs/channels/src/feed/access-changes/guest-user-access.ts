import type { FeedReader } from '@annals/kernel';
import type { ClientEvent, Recorded } from '@annals/kernel/domain';
import type { RestrictedAt } from '@annals/realm';
import { readRestrictedAt } from '@annals/realm';
import { before, userAccessEvent } from '@annals/users';
import type { Subscribed, Unsubscribed } from '../../domain/events';

/** Whether guests were restricted at the positions of some events. */
export async function restrictedAmong(
  { client, realmId }: FeedReader,
  events: readonly Recorded[],
): Promise<RestrictedAt> {
  const [first, last] = [events[0], events.at(-1)];
  if (!first || !last) return () => false;
  return readRestrictedAt(client, realmId, first.position, last.position);
}

/**
 * Subscriptions change which users a restricted guest can see.
 *
 * @param acts all of one append. No event if guests see all users
 */
export function guestAccessEvents(
  acts: readonly Recorded<Subscribed | Unsubscribed>[],
  restrictedAt: RestrictedAt,
): ClientEvent[] {
  const [first, last] = [acts[0], acts.at(-1)];
  if (!first || !last || !restrictedAt(last.position)) return [];
  return [userAccessEvent(before(first.position), [...new Set(acts.flatMap(({ data }) => data.userIds))])];
}
