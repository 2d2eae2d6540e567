import type { FactOf, Static, Subject, UserId } from '@annals/kernel/domain';
import { channelId, defineEvent, t, userId } from '@annals/kernel/domain';

/** How visible a topic is to somebody: 0 as its channel, 1 muted, 2 unmuted, 3 followed (contract/messages.md section 10). */
export const topicPolicy = t.Union([t.Literal(0), t.Literal(1), t.Literal(2), t.Literal(3)]);
export type TopicPolicy = Static<typeof topicPolicy>;

const people = t.Array(userId);
const asSubjects = (users: readonly UserId[]) => users.map((user): Subject => ['user', user]);

/** Stream `topic-policies-{channel}`: the topic is so visible to these people from now on; it need not have messages. */
export const TopicPolicySet = defineEvent('channels.TopicPolicySet', {
  data: t.Object({ channelId, userIds: t.Array(userId, { minItems: 1 }), policy: topicPolicy }),
  /** In the letter case in which it was named. */
  sealed: t.Object({ topic: t.String() }),
  subjects: ({ channelId: channel, userIds }) => [['channel', channel], ...asSubjects(userIds)],
});
export type TopicPolicySet = FactOf<typeof TopicPolicySet>;

/**
 * Stream `topic-policies-{channel}` of the channel it left: a topic moved, and what people had chosen for it went along.
 * `formerly` had a policy for the topic that is left, and have none any more; the topic it became is to `users`, pairwise,
 * as visible as `policies` says, and as it was to everybody else.
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
