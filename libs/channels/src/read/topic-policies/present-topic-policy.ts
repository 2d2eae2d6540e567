import type { ChannelId, Instant } from '@annals/kernel/domain';
import { unixSeconds } from '@annals/kernel/domain';
import { EMPTY_TOPIC_DISPLAY_NAME } from '@annals/realm';
import type { TopicPolicy } from '../../domain/topic-policies/topic-policy-events';
import type { MutedTopic } from './topic-policies';

/** What a client that asks for it knows. */
export interface TopicLook {
  /** Topics without a name. */
  readonly emptyTopicName: boolean;
  readonly archivedChannels: boolean;
}

const shownName = (name: string, { emptyTopicName }: TopicLook): string =>
  name === '' && !emptyTopicName ? EMPTY_TOPIC_DISPLAY_NAME : name;

/** contract/realtime.md section 6.2, `user_topic`, and boot.md section 4.1 */
export const presentTopicPolicy = (
  topic: { readonly channelId: ChannelId; readonly name: string; readonly policy: TopicPolicy },
  updatedAt: Instant,
  look: TopicLook,
) => ({
  stream_id: topic.channelId,
  topic_name: shownName(topic.name, look),
  last_updated: unixSeconds(updatedAt),
  visibility_policy: topic.policy,
});

/** The older form of the list; clients that do not know of archived channels have none to mute topics in. */
export const presentMutedTopics = (muted: readonly MutedTopic[], look: TopicLook) =>
  muted
    .filter(({ isArchived }) => look.archivedChannels || !isArchived)
    .map(({ channelName, name, mutedAt }) => [channelName, shownName(name, look), unixSeconds(mutedAt)]);
