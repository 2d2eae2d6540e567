import type { ChannelId, MessageId, TopicId } from '@annals/kernel/domain';

/** What people wrote in a topic within some days. */
export interface TopicTraffic {
  readonly topicId: TopicId;
  readonly channelId: ChannelId;
  readonly messages: number;
  readonly senders: number;
  /** The newest messages. */
  readonly newest: readonly MessageId[];
}

/** Topics that many wrote in. */
const BY_SENDERS = 2;
/** Topics in a digest. */
const MOST_TOPICS = 4;

/** The topics of a digest: first those with the most people, then those with the most messages. */
export function hottest(topics: readonly TopicTraffic[]): TopicTraffic[] {
  const bySenders = [...topics].sort(
    (a, b) => b.senders - a.senders || b.messages - a.messages || a.topicId - b.topicId,
  );
  const first = bySenders.slice(0, BY_SENDERS);
  const byMessages = bySenders.slice(BY_SENDERS).sort((a, b) => b.messages - a.messages || a.topicId - b.topicId);
  return [...first, ...byMessages.slice(0, MOST_TOPICS - first.length)];
}
