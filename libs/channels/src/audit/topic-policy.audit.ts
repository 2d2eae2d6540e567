import type { EventDescription } from '@annals/kernel';
import { counted, describeEvent, listed, quoted, thing, wordsOf } from '@annals/kernel';
import type { TopicPolicy } from '../domain/topic-policies/topic-policy-events';
import { TopicPoliciesMoved, TopicPolicySet } from '../domain/topic-policies/topic-policy-events';

const { channel, user } = thing;
const ACTS: Readonly<Record<TopicPolicy, string>> = {
  0: 'removed the policy of',
  1: 'muted',
  2: 'unmuted',
  3: 'followed',
};

const policySet = describeEvent(TopicPolicySet, {
  meaning: 'Users muted, unmuted or followed a topic, or stopped to. The topic may have no messages.',
  commands: ['SetTopicPolicy', 'SendMessage', 'AddReaction', 'EditMessage'],
  sentence: (event) => {
    const { channelId, userIds, policy } = event.data;
    const topic = quoted(
      wordsOf(event, (words) => words.topic),
      'a topic',
    );
    const isOwn = userIds.length === 1 && userIds[0] === event.actorId;
    const people = isOwn ? [] : [' for ', ...listed(userIds.map((id) => user(id)))];
    return [`${ACTS[policy]} `, topic, ' in ', channel(channelId), ...people];
  },
});

const policiesMoved = describeEvent(TopicPoliciesMoved, {
  meaning: 'A topic moved, and the policies of users for it moved too.',
  commands: ['EditMessage', 'UndoAct'],
  sentence: (event) => {
    const { channelId, toChannelId, formerly, users } = event.data;
    const names = wordsOf(event, (words) => words);
    const people = counted(new Set([...formerly, ...users]).size, 'user');
    return [
      `moved the policies of ${people} from `,
      quoted(names && names.from, 'a topic'),
      ...(channelId === toChannelId ? [] : [' in ', channel(channelId)]),
      ' to ',
      quoted(names && names.to, 'another topic'),
      ' in ',
      channel(toChannelId),
    ];
  },
});

export const topicPolicyDescriptions: readonly EventDescription[] = [policySet, policiesMoved];
