import type { FactOf, Static, Subject, UserId } from '@annals/kernel/domain';
import { channelId, defineEvent, t, userId } from '@annals/kernel/domain';

/**
 * The visibility policy of a topic for a user: 0 as its channel, 1 muted, 2 unmuted, 3 followed (contract/messages.md
 * section 10).
 */
export const topicPolicy = t.Union([t.Literal(0), t.Literal(1), t.Literal(2), t.Literal(3)]);
export type TopicPolicy = Static<typeof topicPolicy>;

const people = t.Array(userId);
const asSubjects = (users: readonly UserId[]) => users.map((user): Subject => ['user', user]);

/** Stream `topic-policies-{channel}`: these users set a policy for a topic, which may have no messages. */
export const TopicPolicySet = defineEvent('channels.TopicPolicySet', {
  data: t.Object({ channelId, userIds: t.Array(userId, { minItems: 1 }), policy: topicPolicy }),
  /** In the letter case of the request. */
  sealed: t.Object({ topic: t.String() }),
  subjects: ({ channelId: channel, userIds }) => [['channel', channel], ...asSubjects(userIds)],
});
export type TopicPolicySet = FactOf<typeof TopicPolicySet>;

/**
 * Stream `topic-policies-{channel}` of the former channel: a topic moved with its policies. `formerly` are users who
 * had a policy for the old topic and have none now. `users` have the policy at the same index of `policies` for the new
 * topic; all others keep theirs.
 */
export const TopicPoliciesMoved = defineEvent('channels.TopicPoliciesMoved', {
  data: t.Object({
    channelId,
    toChannelId: channelId,
    formerly: people,
    users: people,
    policies: t.Array(topicPolicy),
  }),
  sealed: t.Object({ from: t.String(), to: t.String() }),
  subjects: ({ channelId: channel, toChannelId, formerly, users }) => [
    ['channel', channel],
    ...(toChannelId === channel ? [] : [['channel', toChannelId] as const]),
    ...asSubjects([...new Set([...formerly, ...users])]),
  ],
});
export type TopicPoliciesMoved = FactOf<typeof TopicPoliciesMoved>;

export type TopicPolicyEvent = TopicPolicySet | TopicPoliciesMoved;

/** Definitions of `TopicPolicyEvent`. */
export const TOPIC_POLICY_EVENTS = [TopicPolicySet, TopicPoliciesMoved] as const;
