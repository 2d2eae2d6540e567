import type { Work } from '@annals/kernel';
import type { ChannelId, GroupSetting, UserId } from '@annals/kernel/domain';
import type { ChannelPrivacy } from '../../domain/channel/access';
import type { TopicsPolicy } from '../../domain/events';

/** What decides about the kind of a channel: public, web-public, private with shared or with protected history. */
export type ChannelKind = Pick<ChannelPrivacy, 'inviteOnly' | 'isWebPublic' | 'historyPublicToSubscribers'>;

/** A change of a channel that people in it are told of (contract/channels.md section 5). */
export type ChannelChange =
  | { readonly kind: 'name' | 'description'; readonly before: string; readonly after: string }
  | { readonly kind: 'privacy'; readonly before: ChannelKind; readonly after: ChannelKind }
  /** Who may send. */
  | { readonly kind: 'posting'; readonly before: GroupSetting; readonly after: GroupSetting }
  /** Days; null follows the organization, -1 keeps forever. */
  | { readonly kind: 'retention'; readonly before: number | null; readonly after: number | null }
  | { readonly kind: 'topics policy'; readonly before: TopicsPolicy; readonly after: TopicsPolicy }
  | { readonly kind: 'archived' | 'unarchived' };

/** A user whom one request subscribed. */
export interface NewSubscriber {
  readonly userId: UserId;
  /** Those of their new channels that the request did not create; it may be none. */
  readonly channels: readonly { readonly id: ChannelId; readonly name: string }[];
}

/**
 * What the notification bot says about channels. Its messages are part of the append of the act that they tell of: both
 * happen or neither. This context knows no messages; the one that does provides it.
 */
export abstract class ChannelNotices {
  /**
   * Call it once the channels have been decided about and have their subscribers, so that clients hear of it in that
   * order (contract/channels.md section 2).
   *
   * @param channels all that one request created
   * @param wish.announce also tell of those that are not private where the organization announces new channels
   */
  abstract created(work: Work, channels: readonly ChannelId[], wish: { readonly announce: boolean }): Promise<void>;

  /**
   * Tells of one change in the channel itself; call it after the decision, once for each change. That a channel was
   * archived is told before that is decided, because afterwards old clients know of the channel no more.
   */
  abstract changed(work: Work, channel: ChannelId, change: ChannelChange): Promise<void>;

  /**
   * Writes to everybody but the actor and bots about the channels that were there before.
   *
   * @param people all whom the request subscribed to anything, each once
   * @returns false when they are too many to be written to (contract/subscriptions.md section 2.2)
   */
  abstract subscribed(work: Work, people: readonly NewSubscriber[]): Promise<boolean>;
}
