import type { Actor, ChannelId, UserId, Verdict } from '@annals/kernel/domain';
import { allowedIf, fact, isAdministrator, isGuest, permits } from '@annals/kernel/domain';
import { Unsubscribed } from '../events';
import type { Candidate } from './membership';
import { reject } from '../rejections';
import type { ChannelSettings } from '../channel/settings';

/** The users to unsubscribe from a channel. */
export interface Unsubscribing {
  readonly channelId: ChannelId;
  readonly candidates: readonly Candidate[];
}

/** A user to unsubscribe, with the facts for the rule about it. */
interface Leaver {
  readonly userId: UserId;
  /** Null for people. */
  readonly botOwnerId: UserId | null;
}

/**
 * Unsubscribes subscribed users (contract/subscriptions.md section 3).
 *
 * @returns one event for each channel that loses a subscriber
 */
export const unsubscribe = (inputs: readonly Unsubscribing[]): Unsubscribed[] =>
  inputs.flatMap(({ channelId, candidates }) => {
    const userIds = candidates.filter(({ isSubscribed }) => isSubscribed).map(({ userId }) => userId);
    return userIds.length === 0 ? [] : [fact(Unsubscribed, { channelId, userIds })];
  });

/**
 * Whether the actor may unsubscribe these users from channels that the actor can see (INTERFACE.md 4.10, the three
 * cases of contract/subscriptions.md section 3).
 */
export function mayUnsubscribe(
  leavers: readonly Leaver[],
  channels: readonly { readonly settings: Pick<ChannelSettings, 'can_remove_subscribers_group'> }[],
  actor: Pick<Actor, 'userId' | 'role' | 'groups'>,
): Verdict {
  const others = leavers.filter(({ userId }) => userId !== actor.userId);
  const mayRemove = () =>
    channels.every(({ settings }) => permits(settings.can_remove_subscribers_group, actor, { guests: false }));
  const ownsAll = () => others.every(({ botOwnerId }) => botOwnerId === actor.userId);
  const may = others.length === 0 || isAdministrator(actor) || (!isGuest(actor) && (ownsAll() || mayRemove()));
  return allowedIf(may, reject.mayNotUnsubscribeOthers);
}
