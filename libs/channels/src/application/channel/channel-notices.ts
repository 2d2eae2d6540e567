import type { Work } from '@annals/kernel';
import type { ChannelId, GroupSetting, UserId } from '@annals/kernel/domain';
import type { ChannelPrivacy } from '../../domain/channel/access';
import type { TopicsPolicy } from '../../domain/events';

/**
 * The properties that decide the kind of a channel: public, web-public, private with shared or with protected history.
 */
export type ChannelKind = Pick<ChannelPrivacy, 'inviteOnly' | 'isWebPublic' | 'historyPublicToSubscribers'>;

/** A change of a channel that its subscribers are notified of (contract/channels.md section 5). */
export type ChannelChange =
  | { readonly kind: 'name' | 'description'; readonly before: string; readonly after: string }
  | { readonly kind: 'privacy'; readonly before: ChannelKind; readonly after: ChannelKind }
  /** The users who may send. */
  | { readonly kind: 'posting'; readonly before: GroupSetting; readonly after: GroupSetting }
  /** Days; null follows the organization, -1 keeps forever. */
  | { readonly kind: 'retention'; readonly before: number | null; readonly after: number | null }
  | { readonly kind: 'topics policy'; readonly before: TopicsPolicy; readonly after: TopicsPolicy }
  | { readonly kind: 'archived' | 'unarchived' };

/** A user whom one request subscribed. */
export interface NewSubscriber {
  readonly userId: UserId;
  /** Those of their new channels that the request did not create. May be empty. */
  readonly channels: readonly { readonly id: ChannelId; readonly name: string }[];
}

/**
 * Messages of the notification bot about channels. They are part of the append of the command that they report: both
 * happen or neither. This context knows no messages, so the one that does provides it.
 */
export abstract class ChannelNotices {
  /**
   * To be called after the decisions about the channels and their subscribers, so that clients receive the events in
   * that order (contract/channels.md section 2).
   *
   * @param channels all that one request created
   * @param input.announce whether public channels are also announced in the channel for new channels, if the
   *   organization has one
   */
  abstract created(work: Work, channels: readonly ChannelId[], input: { readonly announce: boolean }): Promise<void>;

  /**
   * Reports one change in the channel itself. To be called after the decision, once for each change. For archiving it
   * is called before, because afterwards old clients do not know the channel.
   */
  abstract changed(work: Work, channel: ChannelId, change: ChannelChange): Promise<void>;

  /**
   * Writes to all new subscribers, except the actor and bots, about channels that existed before.
   *
   * @param people all users that the request subscribed, each once
   * @returns false when they are too many to be written to (contract/subscriptions.md section 2.2)
   */
  abstract subscribed(work: Work, people: readonly NewSubscriber[]): Promise<boolean>;
}
