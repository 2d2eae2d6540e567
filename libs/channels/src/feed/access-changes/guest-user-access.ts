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
 * Guests come to see others, and lose sight of them, by who is subscribed to their channels.
 *
 * @param acts all of one append; nothing is told where guests see everybody anyway
 */
export function guestAccessEvents(
  acts: readonly Recorded<Subscribed | Unsubscribed>[],
  restrictedAt: RestrictedAt,
): ClientEvent[] {
  const [first, last] = [acts[0], acts.at(-1)];
  if (!first || !last || !restrictedAt(last.position)) return [];
  return [userAccessEvent(before(first.position), [...new Set(acts.flatMap(({ data }) => data.userIds))])];
}
