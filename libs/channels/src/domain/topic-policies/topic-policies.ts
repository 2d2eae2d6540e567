import type { ChannelId, UserId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { channelNameKey } from '../channel/channel';
import type { TopicPolicy } from './topic-policy-events';
import { TopicPoliciesMoved, TopicPolicySet } from './topic-policy-events';

/** The numbers of the API (contract/messages.md section 10). */
export const POLICIES = { inherit: 0, muted: 1, unmuted: 2, followed: 3 } as const satisfies Record<
  string,
  TopicPolicy
>;

/** A topic by its channel and name. It need not have messages, and letter case does not matter. */
export interface NamedTopicPlace {
  readonly channelId: ChannelId;
  /** In the stored form: an empty text for the empty topic. */
  readonly name: string;
}

/** The policies of users for one topic. Users without one are left out. */
export type PoliciesByPerson = ReadonlyMap<UserId, TopicPolicy>;

/** Name of the stream of the policies for topics of a channel. */
export const topicPoliciesStream = (channel: ChannelId): string => `topic-policies-${channel}`;

/** Topics are compared without regard to letter case (contract/conventions.md section 6). */
export const topicKey = channelNameKey;

export const isSameTopic = (a: NamedTopicPlace, b: NamedTopicPlace): boolean =>
  a.channelId === b.channelId && topicKey(a.name) === topicKey(b.name);

/** Sets the policy for those of these users who have another one. No event without such a user. */
export function setPolicy(
  topic: NamedTopicPlace,
  people: readonly UserId[],
  policy: TopicPolicy,
  current: PoliciesByPerson,
): TopicPolicySet[] {
  const userIds = people.filter((user) => policyIn(current, user) !== policy);
  if (userIds.length === 0) return [];
  return [fact(TopicPolicySet, { channelId: topic.channelId, userIds, policy }, { topic: topic.name })];
}

export const policyIn = (policies: PoliciesByPerson, user: UserId): TopicPolicy =>
  policies.get(user) ?? POLICIES.inherit;

/** The order for two topics that are merged: followed, then unmuted, then as the channel, then muted. */
const BY_VISIBILITY: readonly TopicPolicy[] = [POLICIES.muted, POLICIES.inherit, POLICIES.unmuted, POLICIES.followed];
const moreVisible = (a: TopicPolicy, b: TopicPolicy): TopicPolicy =>
  BY_VISIBILITY.indexOf(a) > BY_VISIBILITY.indexOf(b) ? a : b;

/** A whole topic that moves, with the policies for it and for the topic that it becomes. */
export interface PolicyMove {
  readonly from: NamedTopicPlace;
  readonly to: NamedTopicPlace;
  readonly chosenFrom: PoliciesByPerson;
  readonly chosenTo: PoliciesByPerson;
  /** Whether the topic that it becomes had messages before. */
  readonly targetHadMessages: boolean;
  /** Whether a user may read the new channel. For others the topic no longer exists. */
  readonly mayRead: (user: UserId) => boolean;
}

/** Moves the policies of users with a topic (contract/messages.md section 5.3, user_topic migration). */
export function movePolicies(move: PolicyMove): TopicPoliciesMoved[] {
  const { from, to, chosenFrom, chosenTo, targetHadMessages, mayRead } = move;
  if (isSameTopic(from, to)) return [];
  const readers = [...new Set([...chosenFrom.keys(), ...chosenTo.keys()])].filter(mayRead);
  const changed = readers.flatMap((user) => {
    const [carried, found] = [policyIn(chosenFrom, user), policyIn(chosenTo, user)];
    const policy = targetHadMessages ? moreVisible(carried, found) : carried;
    return policy === found ? [] : [{ user, policy }];
  });
  if (chosenFrom.size + changed.length === 0) return [];
  const data = {
    channelId: from.channelId,
    toChannelId: to.channelId,
    formerly: [...chosenFrom.keys()],
    users: changed.map(({ user }) => user),
    policies: changed.map(({ policy }) => policy),
  };
  return [fact(TopicPoliciesMoved, data, { from: from.name, to: to.name })];
}

/**
 * When an automatic policy applies (contract/boot.md section 6): on participation, on sending, on creating a topic,
 * never.
 */
export const OCCASIONS = { participation: 1, send: 2, initiation: 3, never: 4 } as const;
type Occasion = (typeof OCCASIONS)[keyof typeof OCCASIONS];

/** A user's settings for automatic policies. */
export interface AutomaticSettings {
  readonly automatically_follow_topics_policy: Occasion;
  readonly automatically_unmute_topics_in_muted_streams_policy: Occasion;
}

/** An act of a user in a topic that may change the user's policy for it. */
export type Participation = 'begun' | 'sent' | 'reacted';

/**
 * The policy that a topic gets from a participation, or null if nothing changes (contract/messages.md section 3.2). A
 * topic only becomes more visible.
 */
export function automaticPolicy(
  current: TopicPolicy,
  did: Participation,
  settings: AutomaticSettings,
  isChannelMuted: boolean,
): TopicPolicy | null {
  if (current === POLICIES.followed) return null;
  const applies = (occasion: Occasion) =>
    occasion === OCCASIONS.participation ||
    (occasion === OCCASIONS.send && did !== 'reacted') ||
    (occasion === OCCASIONS.initiation && did === 'begun' && current === POLICIES.inherit);
  if (applies(settings.automatically_follow_topics_policy)) return POLICIES.followed;
  const unmutes = isChannelMuted && applies(settings.automatically_unmute_topics_in_muted_streams_policy);
  return unmutes && current !== POLICIES.unmuted ? POLICIES.unmuted : null;
}

/** Whether a mention makes a user follow the topic: not if they muted it (contract/messages.md section 3.2). */
export const isFollowedWhenMentioned = (current: TopicPolicy): boolean =>
  current === POLICIES.inherit || current === POLICIES.unmuted;
