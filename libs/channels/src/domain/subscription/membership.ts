import type { ChannelId, UserId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { unusedColor } from './colors';
import { Subscribed } from '../events';
import { reject } from '../rejections';

/** A user to subscribe or unsubscribe. */
export interface Candidate {
  readonly userId: UserId;
  readonly isSubscribed: boolean;
}

/** The users to subscribe to a channel, and the requested color, if any. */
export interface NewSubscribers {
  readonly channelId: ChannelId;
  readonly candidates: readonly Candidate[];
  readonly color: string | null;
}

/**
 * All members of a large organization in one channel, and a few more: each pair costs rows, and a check under the lock.
 * 90,000 of them blocked other writers for a second.
 */
const MAX_PAIRS = 25_000;

/** @throws Rejected BAD_REQUEST if one request is about more subscriptions than can be changed in seconds */
export function ensureFew(channels: number, people: number): void {
  if (channels * people > MAX_PAIRS) throw reject.tooManySubscriptions();
}

/** Colors of a user's subscriptions by channel, also of former ones. */
export type OwnColors = ReadonlyMap<ChannelId, string>;

/**
 * Subscribes users who are not subscribed yet (contract/subscriptions.md section 2). Several channels of one request
 * get different colors. A returning subscriber keeps the old one (section 2.3).
 *
 * @returns one event for each channel with a new subscriber
 */
export function subscribe(inputs: readonly NewSubscribers[], ownColors: ReadonlyMap<UserId, OwnColors>): Subscribed[] {
  const used = new Map<UserId, Set<string>>();
  const colorFor = (user: UserId, channel: ChannelId, requested: string | null): string => {
    const own = ownColors.get(user);
    const former = own?.get(channel);
    if (former !== undefined) return former;
    const colors = used.get(user) ?? new Set(own?.values());
    const color = requested ?? unusedColor(colors);
    used.set(user, colors.add(color));
    return color;
  };
  return inputs.flatMap(({ channelId, candidates, color }) => {
    const userIds = candidates.filter(({ isSubscribed }) => !isSubscribed).map(({ userId }) => userId);
    if (userIds.length === 0) return [];
    return [fact(Subscribed, { channelId, userIds, colors: userIds.map((user) => colorFor(user, channelId, color)) })];
  });
}
