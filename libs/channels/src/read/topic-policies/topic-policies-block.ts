import type { RegisterBlock } from '@annals/kernel';
import { presentMutedTopics, presentTopicPolicy } from './present-topic-policy';
import { readChosenPolicies, readMutedTopics } from './topic-policies';

/** The visibility policies of topics of the actor (contract/boot.md section 4.1). */
export const topicPoliciesRegisterBlock: RegisterBlock = {
  keys: ['user_topic', 'muted_topics'],
  async read({ client, realmId, position }, { userId }, { keys, capabilities }) {
    const look = {
      emptyTopicName: capabilities.empty_topic_name,
      archivedChannels: capabilities.archived_channels,
    };
    const state: Record<string, unknown> = {};
    if (keys.has('muted_topics')) {
      const muted = await readMutedTopics(client, realmId, [userId], { first: position, last: position });
      state['muted_topics'] = presentMutedTopics(muted, look);
    }
    if (keys.has('user_topic')) {
      const chosen = await readChosenPolicies(client, realmId, userId);
      state['user_topics'] = chosen.map((topic) => presentTopicPolicy(topic, topic.updatedAt, look));
    }
    return state;
  },
};
