import type { ChannelId, Instant } from '@annals/kernel/domain';
import { unixSeconds } from '@annals/kernel/domain';
import { EMPTY_TOPIC_DISPLAY_NAME } from '@annals/realm';
import type { TopicPolicy } from '../../domain/topic-policies/topic-policy-events';
import type { MutedTopic } from './topic-policies';

/** The capabilities of a client. */
export interface TopicFormat {
  /** Topics without a name. */
  readonly emptyTopicName: boolean;
  readonly archivedChannels: boolean;
}

const shownName = (name: string, { emptyTopicName }: TopicFormat): string =>
  name === '' && !emptyTopicName ? EMPTY_TOPIC_DISPLAY_NAME : name;

/** contract/realtime.md section 6.2, `user_topic`, and boot.md section 4.1 */
export const presentTopicPolicy = (
  topic: { readonly channelId: ChannelId; readonly name: string; readonly policy: TopicPolicy },
  updatedAt: Instant,
  look: TopicFormat,
) => ({
  stream_id: topic.channelId,
  topic_name: shownName(topic.name, look),
  last_updated: unixSeconds(updatedAt),
  visibility_policy: topic.policy,
});

/**
 * The older form of the list. Clients without support for archived channels have none in which they could mute topics.
 */
export const presentMutedTopics = (muted: readonly MutedTopic[], look: TopicFormat) =>
  muted
    .filter(({ isArchived }) => look.archivedChannels || !isArchived)
    .map(({ channelName, name, mutedAt }) => [channelName, shownName(name, look), unixSeconds(mutedAt)]);
