import type { Work } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';
import { OwnSettingsFacts, UserFacts } from '@annals/users';
import { Injectable } from '@nestjs/common';
import type { NamedTopicPlace, Participation } from '../../domain/topic-policies/topic-policies';
import {
  POLICIES,
  automaticPolicy,
  isFollowedWhenMentioned,
  policyIn,
} from '../../domain/topic-policies/topic-policies';
import type { TopicPolicy } from '../../domain/topic-policies/topic-policy-events';
import { TopicPolicyFacts } from '../../read/topic-policies/topic-policy-facts';
import { TopicPolicies } from './topic-policies';

/**
 * Topics become more visible for users by their participation (contract/messages.md section 3.2). Bots have no
 * automatic policies. Within a unit of work this comes before the message, so that clients receive it first.
 */
@Injectable()
export class AutomaticPolicies {
  constructor(
    private readonly facts: TopicPolicyFacts,
    private readonly policies: TopicPolicies,
    private readonly settings: OwnSettingsFacts,
    private readonly users: UserFacts,
  ) {}

  /**
   * A user takes part in a topic. Without an effect it costs no query.
   *
   * @returns the new policy of the user for the topic, or null
   */
  async tookPart(work: Work, userId: UserId, topic: NamedTopicPlace, did: Participation): Promise<TopicPolicy | null> {
    const { realmId } = work;
    const { settings, mutedChannels } = await this.facts.takingPartOf(realmId, userId);
    const isMuted = mutedChannels.has(topic.channelId);
    const becomes = (current: TopicPolicy) => automaticPolicy(current, did, settings, isMuted);
    if (becomes(POLICIES.inherit) === null) return null;
    // A new topic has no policies yet.
    const known = did === 'begun' ? null : await this.facts.policiesOf(realmId, topic, [userId]);
    if ((known && becomes(policyIn(known, userId)) === null) || (await this.isBot(work, userId))) return null;
    const changed = await this.policies.change(work, topic, [userId], (_, current) => becomes(current));
    return changed.get(userId) ?? null;
  }

  /** Users are mentioned in a topic. @param followedBefore a user who follows it by the same command already */
  async mentioned(
    work: Work,
    people: readonly UserId[],
    topic: NamedTopicPlace,
    followedBefore: UserId | null,
  ): Promise<void> {
    if (people.length === 0) return;
    const { realmId } = work;
    const known = await this.facts.policiesOf(realmId, topic, people);
    const mayFollow = people.filter(
      (user) => user !== followedBefore && isFollowedWhenMentioned(policyIn(known, user)),
    );
    const name = 'automatically_follow_topics_where_mentioned';
    const followers = await this.settings.usersWith(realmId, mayFollow, name, true);
    const accounts = await this.users.accounts(realmId, followers);
    const humans = followers.filter((user) => accounts.get(user)?.botType === null);
    if (humans.length === 0) return;
    const becomes = (current: TopicPolicy) => (isFollowedWhenMentioned(current) ? POLICIES.followed : null);
    await this.policies.change(work, topic, humans, (_, current) => becomes(current));
  }

  private async isBot({ realmId }: Work, userId: UserId): Promise<boolean> {
    return (await this.users.account(realmId, userId))?.botType !== null;
  }
}
