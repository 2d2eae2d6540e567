import type { ChannelId, Instant, RealmId } from '@annals/kernel/domain';
import { DAY_MS } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import type { Subscribers } from './subscribers';
import { activeSubscribersOf, subscribersOf } from './subscribers';

/** Whether lists of subscribers are included; with `partial`, those of large channels may be incomplete. */
export type IncludedSubscribers = boolean | 'partial';

export interface AskedSubscribers {
  readonly include: IncludedSubscribers;
  /** The time of the request, which decides only what is listed of large channels. */
  readonly now: () => Instant;
}

/** The requested subscribers of some channels. */
export interface SubscriberLists {
  readonly users: Subscribers;
  /** Channels of which only bots and recently active users are listed. */
  readonly shortened: ReadonlySet<ChannelId>;
}

/** A channel with fewer subscribers is always listed in full (INTERFACE.md section 8). */
const LARGE = 250;
const ACTIVE_MS = 14 * DAY_MS;

/**
 * Reads the subscribers of channels that the reader can see. Their metadata includes the subscribers
 * (contract/permissions.md section 6).
 *
 * @returns null if not requested
 */
export async function readSubscriberLists(
  client: Pool | ClientBase,
  realmId: RealmId,
  channels: { readonly ids: readonly ChannelId[]; readonly counts: ReadonlyMap<ChannelId, number> },
  { include, now }: AskedSubscribers,
): Promise<SubscriberLists | null> {
  const { ids, counts } = channels;
  if (include === false) return null;
  const isLarge = (id: ChannelId) => include === 'partial' && (counts.get(id) ?? 0) >= LARGE;
  const large = ids.filter(isLarge);
  const whole = ids.filter((id) => !isLarge(id));
  const active =
    large.length === 0 ? [] : await activeSubscribersOf(client, realmId, large, (now() - ACTIVE_MS) as Instant);
  const all = await subscribersOf(client, realmId, whole);
  return { users: new Map([...all, ...active]), shortened: new Set(large) };
}
