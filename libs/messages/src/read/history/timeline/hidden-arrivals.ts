import { readProtectedAt } from '@annals/channels';
import type { ChannelId, RealmId, Span, UserId } from '@annals/kernel/domain';
import { contains } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import type { ChannelInterval } from './intervals';
import type { SubscriptionTimeline } from './subscriptions';

/** Whether messages that moved arrived in a channel with protected history; only asked where an account was deactivated. */
export type HiddenArrivals = (arrival: ChannelInterval) => boolean;

/**
 * Reads which arrivals were in channels with protected history, of those at which any of the users was subscribed with a
 * deactivated account. There are hardly ever such arrivals, and then nothing is read.
 */
export async function readHiddenArrivals(
  client: Pool | ClientBase,
  realmId: RealmId,
  arrivals: readonly ChannelInterval[],
  users: readonly UserId[],
  spansOf: SubscriptionTimeline,
): Promise<HiddenArrivals> {
  const absences = new Map<ChannelId, readonly Span[]>();
  for (const channelId of new Set(arrivals.map((arrival) => arrival.channelId))) {
    absences.set(
      channelId,
      users.flatMap((user) => absencesIn(spansOf, channelId, user)),
    );
  }
  const asked = new Map<string, ChannelInterval & { readonly position: ChannelInterval['since'] }>();
  for (const arrival of arrivals) {
    const isAsked = absences.get(arrival.channelId)?.some((absence) => contains(absence, arrival.since));
    if (isAsked) asked.set(keyOf(arrival), { ...arrival, position: arrival.since });
  }
  const hidden = new Set((await readProtectedAt(client, realmId, [...asked.values()])).map(keyOf));
  return (arrival) => hidden.has(keyOf(arrival));
}

/** When a user who came back was subscribed to a channel with a deactivated account. */
const absencesIn = (spansOf: SubscriptionTimeline, channel: ChannelId, user: UserId): Span[] =>
  spansOf(channel, user).flatMap(({ to, continuousUntil }) =>
    to === null || to === continuousUntil ? [] : [{ from: to, to: continuousUntil }],
  );

const keyOf = ({ channelId, since }: ChannelInterval): string => `${channelId} ${since}`;
