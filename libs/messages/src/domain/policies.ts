import type { Actor, BotType, GroupSetting, Role, UserId, Verdict } from '@annals/kernel/domain';
import { allowed, allowedIf, isBot, isGuest, permits, refused } from '@annals/kernel/domain';
import type { ContentFacts } from './events';
import { reject } from './rejections';
import { NO_TOPIC } from './topic';

/** Somebody whose permissions matter, whether or not they act. */
export type Person = Pick<Actor, 'userId' | 'role' | 'groups'>;

/** How the empty topic is treated, the organization's choice taken for `inherit`. */
export type EffectiveTopicsPolicy = 'allow_empty_topic' | 'disable_empty_topic' | 'empty_topic_only';

/** What the rules about posting ask of a channel. */
export interface PostingChannel {
  readonly inviteOnly: boolean;
  readonly isWebPublic: boolean;
  readonly historyPublicToSubscribers: boolean;
  readonly isArchived: boolean;
  readonly topicsPolicy: EffectiveTopicsPolicy;
  readonly canSend: GroupSetting;
  readonly canCreateTopic: GroupSetting;
}

/** What the rules about posting ask of the one who posts, in relation to the channel. */
export interface Poster {
  readonly sender: Person;
  readonly isSubscribed: boolean;
  /** Whether groups give the sender content access to a private channel. */
  readonly readsByGroup: boolean;
  /** Owner of a bot; null for people and for bots without one. */
  readonly owner: (Person & { readonly isSubscribed: boolean }) | null;
}

/**
 * What lets somebody post where they may: the channel is open to them, a membership (their own or their owner's), or a
 * group. The append must guard a membership it rests on.
 */
export type AccessGrant = { readonly kind: 'open' | 'group' } | { readonly kind: 'membership'; readonly of: UserId };

/** Why the sender has access to the channel, or null (contract/messages.md section 3, access). */
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

/** Whether others may be told that the sender types there; what the sender does not see is not there. */
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

/** Somebody a direct message goes to. */
export interface Recipient extends Person {
  readonly isActive: boolean;
  readonly botType: BotType | null;
  readonly role: Role;
  /** For the refusal: as the sender knows it. */
  readonly email: string;
}

/** What the organization says about direct messages. */
export interface DirectMessageRules {
  readonly permission: GroupSetting;
  readonly initiator: GroupSetting;
  readonly nobody: GroupSetting;
}

/** Whether the sender may write first where nobody has written. */
export const mayStartConversation = (sender: Person, { initiator }: Pick<DirectMessageRules, 'initiator'>): boolean =>
  permits(initiator, sender, { guests: true });

/**
 * Whether the sender may write to these people (contract/messages.md section 3, DM rules).
 *
 * @param recipients everybody but the sender; none for a message to oneself
 * @param isOpen whether the conversation has messages already
 */
export function mayWriteTo(
  recipients: readonly Recipient[],
  sender: Person & Pick<Actor, 'botType'>,
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

/** More receivers than this make a wildcard mention a matter of permission (contract/conventions.md section 7). */
export const WILDCARD_MENTION_THRESHOLD = 15;

/** What the rules about mentions ask; the count only matters where the text calls the channel. */
export interface MentionRules {
  readonly subscribers: number;
  readonly canMentionMany: GroupSetting;
  /** Whether the sender may call every group that the text calls. */
  readonly mayMentionGroups: boolean;
}

/** Whether the sender may call those whom the text calls (contract/messages.md section 3.1). */
export function mayMention(mentions: ContentFacts['mentions'], sender: Person, rules: MentionRules): Verdict {
  const mayMentionMany = permits(rules.canMentionMany, sender, { guests: true });
  if (mentions.channelWildcard && rules.subscribers > WILDCARD_MENTION_THRESHOLD && !mayMentionMany) {
    return refused(reject.channelWildcardNotAllowed());
  }
  if ((mentions.participantIds ?? []).length > WILDCARD_MENTION_THRESHOLD && !mayMentionMany) {
    return refused(reject.topicWildcardNotAllowed());
  }
  return allowedIf(rules.mayMentionGroups, reject.groupMentionNotAllowed);
}
