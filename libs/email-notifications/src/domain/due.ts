import type { Instant } from '@annals/kernel/domain';

/** The first moment at which a user who was active at a time counts as offline. @param offlineMs how long they count as online */
export const offlineFrom = (activeAt: Instant, offlineMs: number): Instant => (activeAt + offlineMs + 1) as Instant;

/**
 * When a mail about an event is due: at the end of the batching period of the user, and not while they are online.
 *
 * @param at time of the event
 * @param periodSeconds how long the user lets mails wait for others
 * @param activeAt when the user was last active. Null if that is long ago, or not known
 */
export function mailDueAt(at: Instant, periodSeconds: number, activeAt: Instant | null, offlineMs: number): Instant {
  const batched = at + periodSeconds * 1_000;
  return Math.max(batched, activeAt === null ? batched : offlineFrom(activeAt, offlineMs)) as Instant;
}
