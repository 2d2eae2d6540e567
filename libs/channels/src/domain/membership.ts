import type { ChannelId, UserId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { unusedColor } from './colors';
import { Subscribed } from './events';

/** Somebody who shall be subscribed. */
export interface Candidate {
  readonly userId: UserId;
  readonly isSubscribed: boolean;
}

/** Whom a channel is to be given, and the colour its subscribers asked for, if any. */
export interface Subscribing {
  readonly channelId: ChannelId;
  readonly candidates: readonly Candidate[];
  readonly color: string | null;
}

/**
 * Subscribes those who are not subscribed yet (contract/subscriptions.md section 2). Several channels in one act give a
 * person a different colour each.
 *
 * @param usedColors colours of each person's subscriptions, past ones included
 * @returns one fact per channel that somebody new joins
 */
export function subscribe(
  wishes: readonly Subscribing[],
  usedColors: ReadonlyMap<UserId, ReadonlySet<string>>,
): Subscribed[] {
  const used = new Map<UserId, Set<string>>();
  const colorFor = (user: UserId, wished: string | null): string => {
    const colors = used.get(user) ?? new Set(usedColors.get(user));
    const color = wished ?? unusedColor(colors);
    used.set(user, colors.add(color));
    return color;
  };
  return wishes.flatMap(({ channelId, candidates, color }) => {
    const userIds = candidates.filter(({ isSubscribed }) => !isSubscribed).map(({ userId }) => userId);
    if (userIds.length === 0) return [];
    return [fact(Subscribed, { channelId, userIds, colors: userIds.map((user) => colorFor(user, color)) })];
  });
}
