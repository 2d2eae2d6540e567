import type { Actor, BotType, GroupSetting, Role, UserId, Verdict } from '@annals/kernel/domain';
import { allowed, allowedIf, isBot, isGuest, permits, refused } from '@annals/kernel/domain';
import type { MessageContentFacts } from './events';
import { reject } from './rejections';
import { NO_TOPIC } from './topic';

/** A user whose permissions are checked; need not be the actor. */
export type CheckedUser = Pick<Actor, 'userId' | 'role' | 'groups'>;

/** The topics policy of a channel; for `inherit`, that of the organization. */
export type EffectiveTopicsPolicy = 'allow_empty_topic' | 'disable_empty_topic' | 'empty_topic_only';

/** A channel as the posting rules need it. */
export interface PostingChannel {
  readonly inviteOnly: boolean;
  readonly isWebPublic: boolean;
  readonly historyPublicToSubscribers: boolean;
  readonly isArchived: boolean;
  readonly topicsPolicy: EffectiveTopicsPolicy;
  readonly canSend: GroupSetting;
  readonly canCreateTopic: GroupSetting;
}

/** A sender as the posting rules need it, in relation to the channel. */
export interface Poster {
  readonly sender: CheckedUser;
  readonly isSubscribed: boolean;
  /** Whether groups give the sender content access to a private channel. */
  readonly readsByGroup: boolean;
  /** Owner of a bot; null for people and for bots without one. */
  readonly owner: (CheckedUser & { readonly isSubscribed: boolean }) | null;
}

/**
 * The reason why a user has access to a channel: the channel is open to them, a membership (their own or their owner's), or a
 * group. The append must guard a membership that it depends on.
 */
export type AccessGrant = { readonly kind: 'open' | 'group' } | { readonly kind: 'membership'; readonly of: UserId };

/** The sender's access to the channel, or null (contract/messages.md section 3, access). */
export function accessGrantOf(
  channel: PostingChannel,
  { sender, isSubscribed, readsByGroup, owner }: Poster,
): AccessGrant | null {
  if (channel.isWebPublic || (!channel.inviteOnly && !isGuest(sender))) return { kind: 'open' };
  if (isSubscribed) return { kind: 'membership', of: sender.userId };
  if (owner?.isSubscribed) return { kind: 'membership', of: owner.userId };
  return channel.inviteOnly && channel.historyPublicToSubscribers && readsByGroup ? { kind: 'group' } : null;
}

/** Whether the sender, or the owner for a bot, has a permission that guests may have (contract/permissions.md section 3). */
export const senderOrOwnerHas = (setting: GroupSetting, { sender, owner }: Poster): boolean =>
  permits(setting, sender, { guests: true }) || (owner !== null && permits(setting, owner, { guests: true }));

/** Whether the sender may post in the topic, in the order of contract/messages.md section 3. */
export function mayPost(
  channel: PostingChannel,
  poster: Poster,
  topic: { readonly name: string; readonly exists: boolean },
): Verdict {
  if (!senderOrOwnerHas(channel.canSend, poster)) return refused(reject.mayNotSend());
  if (channel.isArchived) return refused(reject.channelArchived());
  if (!accessGrantOf(channel, poster)) return refused(reject.channelNotAccessible());
  if (!topic.exists && !senderOrOwnerHas(channel.canCreateTopic, poster)) return refused(reject.mayNotCreateTopic());
  return fitsTopicsPolicy(channel.topicsPolicy, topic.name);
}

/** Whether others are notified that the sender types there. A channel that the sender cannot see counts as unknown. */
export function mayType(channel: PostingChannel, poster: Poster): Verdict {
  if (channel.isArchived || !accessGrantOf(channel, poster)) return refused(reject.unknownChannel());
  return allowedIf(senderOrOwnerHas(channel.canSend, poster), reject.mayNotSend);
}

/** Whether a message may be in such a topic (contract/messages.md section 1, `topics_policy`). */
export function fitsTopicsPolicy(policy: EffectiveTopicsPolicy, topic: string): Verdict {
  switch (policy) {
    case 'allow_empty_topic':
      return allowed;
    case 'disable_empty_topic':
      return allowedIf(topic !== '' && topic !== NO_TOPIC, reject.emptyTopicNotAllowed);
    case 'empty_topic_only':
      return allowedIf(topic === '', reject.onlyEmptyTopicAllowed);
  }
}

/** A recipient of a direct message. */
export interface DirectMessageRecipient extends CheckedUser {
  readonly isActive: boolean;
  readonly botType: BotType | null;
  readonly role: Role;
  /** As the sender sees it; for the refusal. */
  readonly email: string;
}

/** The organization's rules for direct messages. */
export interface DirectMessageRules {
  readonly permission: GroupSetting;
  readonly initiator: GroupSetting;
  readonly nobody: GroupSetting;
}

/** Whether the sender may write the first message of a conversation. */
export const mayStartConversation = (
  sender: CheckedUser,
  { initiator }: Pick<DirectMessageRules, 'initiator'>,
): boolean => permits(initiator, sender, { guests: true });

/**
 * Whether the sender may write to these users (contract/messages.md section 3, DM rules).
 *
 * @param recipients all users but the sender; none for a message to oneself
 * @param isOpen whether the conversation has messages already
 */
export function mayWriteTo(
  recipients: readonly DirectMessageRecipient[],
  sender: CheckedUser & Pick<Actor, 'botType'>,
  isOpen: boolean,
  rules: DirectMessageRules,
): Verdict {
  const gone = recipients.find(({ isActive }) => !isActive);
  if (gone) return refused(reject.deactivatedRecipient({ email: gone.email }));
  if (isBot(sender) || recipients.every(isBot)) return allowed;
  if (rules.permission === rules.nobody) return refused(reject.directMessagesDisabled());
  const authorized = [sender, ...recipients].some((person) => permits(rules.permission, person, { guests: true }));
  if (!authorized) return refused(reject.mayNotWriteDirectly());
  return allowedIf(isOpen || mayStartConversation(sender, rules), reject.mayNotStartConversation);
}

/** With more recipients than this a wildcard mention needs a permission (contract/conventions.md section 7). */
export const WILDCARD_MENTION_THRESHOLD = 15;

/** Facts for the mention rules; the count only matters for a mention of the channel. */
export interface MentionRules {
  readonly subscribers: number;
  readonly canMentionMany: GroupSetting;
  /** Whether the sender may mention all groups of the text. */
  readonly mayMentionGroups: boolean;
}

/** Whether the sender may make the mentions of a text (contract/messages.md section 3.1). */
export function mayMention(
  mentions: MessageContentFacts['mentions'],
  sender: CheckedUser,
  rules: MentionRules,
): Verdict {
  const mayMentionMany = permits(rules.canMentionMany, sender, { guests: true });
  if (mentions.channelWildcard && rules.subscribers > WILDCARD_MENTION_THRESHOLD && !mayMentionMany) {
    return refused(reject.channelWildcardNotAllowed());
  }
  if ((mentions.participantIds ?? []).length > WILDCARD_MENTION_THRESHOLD && !mayMentionMany) {
    return refused(reject.topicWildcardNotAllowed());
  }
  return allowedIf(rules.mayMentionGroups, reject.groupMentionNotAllowed);
}
