import type { Work } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';
import { OwnSettingsFacts, UserFacts } from '@annals/users';
import { Injectable } from '@nestjs/common';
import type { NamedTopicPlace, Participation } from '../../domain/topic-policies/topic-policies';
import { POLICIES, automaticPolicy, isFollowedWhenCalled, policyIn } from '../../domain/topic-policies/topic-policies';
import type { TopicPolicy } from '../../domain/topic-policies/topic-policy-events';
import { TopicPolicyFacts } from '../../read/topic-policies/topic-policy-facts';
import { TopicPolicies } from './topic-policies';

/**
 * Topics that become more visible to people by what happens in them (contract/messages.md section 3.2). Bots choose
 * nothing by themselves. Within a unit of work it comes before the message, so that clients hear of it first.
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
   * A user takes part in a topic. What changes nothing costs no query.
   *
   * @returns what the topic has become to them, or null
   */
  async tookPart(work: Work, userId: UserId, topic: NamedTopicPlace, did: Participation): Promise<TopicPolicy | null> {
    const { realmId } = work;
    const { settings, mutedChannels } = await this.facts.takingPartOf(realmId, userId);
    const isMuted = mutedChannels.has(topic.channelId);
    const becomes = (current: TopicPolicy) => automaticPolicy(current, did, settings, isMuted);
    if (becomes(POLICIES.inherit) === null) return null;
    // Of a topic that is begun nothing is known yet.
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
    const mayFollow = people.filter((user) => user !== followedBefore && isFollowedWhenCalled(policyIn(known, user)));
    const name = 'automatically_follow_topics_where_mentioned';
    const wishing = await this.settings.having(realmId, mayFollow, name, true);
    const accounts = await this.users.accounts(realmId, wishing);
    const humans = wishing.filter((user) => accounts.get(user)?.botType === null);
    if (humans.length === 0) return;
    const becomes = (current: TopicPolicy) => (isFollowedWhenCalled(current) ? POLICIES.followed : null);
    await this.policies.change(work, topic, humans, (_, current) => becomes(current));
  }

  private async isBot({ realmId }: Work, userId: UserId): Promise<boolean> {
    return (await this.users.account(realmId, userId))?.botType !== null;
  }
}
