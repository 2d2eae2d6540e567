import { defineFeed, translate } from '@annals/kernel';
import type { Audience, ChannelId, ClientEvent, Instant, UserId } from '@annals/kernel/domain';
import { POLICIES } from '../domain/topic-policies/topic-policies';
import type { TopicPolicy } from '../domain/topic-policies/topic-policy-events';
import { TopicPoliciesMoved, TopicPolicySet } from '../domain/topic-policies/topic-policy-events';

/** The payload of `user_topic` events. The name of the topic is read from the event of the log. */
export interface TopicPolicyPayload {
  readonly channelId: ChannelId;
  /** Which of the names in the event of the log. */
  readonly named: 'topic' | 'from' | 'to';
  readonly policy: TopicPolicy;
  readonly at: Instant;
}

/** The visibility policies of topics, each for its user (contract/messages.md section 10). */
export const topicPoliciesFeed = defineFeed({
  name: 'topic-policies',
  translations: [
    translate(TopicPolicySet, ({ data: { channelId, userIds, policy }, at }) => [
      mutedTopics(userIds),
      userTopic({ channelId, named: 'topic', policy, at }, userIds),
    ]),
    translate(TopicPoliciesMoved, ({ data, at }) => {
      const { channelId, toChannelId, formerly, users, policies } = data;
      const left = { channelId, named: 'from', policy: POLICIES.inherit, at } as const;
      const became = [...new Set(policies)].map((policy) => {
        const those = users.filter((_, n) => policies[n] === policy);
        return userTopic({ channelId: toChannelId, named: 'to', policy, at }, those);
      });
      return [
        mutedTopics([...new Set([...formerly, ...users])]),
        ...(formerly.length > 0 ? [userTopic(left, formerly)] : []),
        ...became,
      ];
    }),
  ],
});

const only = (users: readonly UserId[]): Audience => ({ kind: 'users', users });

const mutedTopics = (users: readonly UserId[]): ClientEvent => ({
  type: 'muted_topics',
  audience: only(users),
  payload: {},
});

const userTopic = (payload: TopicPolicyPayload, users: readonly UserId[]): ClientEvent => ({
  type: 'user_topic',
  audience: only(users),
  payload: { ...payload },
});
