import type { Opened, Work } from '@annals/kernel';
import { WorkState } from '@annals/kernel';
import type { ChannelId, TopicId } from '@annals/kernel/domain';
import type { MessageSent, Place } from '../../domain/events';
import type { NewTopic } from '../../domain/topic';
import { startTopicWith, topicAggregate } from '../../domain/topic';

/** The place of a message: one that exists, or a topic that the message starts. */
export type MessageTarget =
  { readonly kind: 'existing'; readonly place: Place } | { readonly kind: 'new topic'; readonly topic: NewTopic };

/**
 * Appends a message, and before it the start of its topic if the topic is new: there is no other way to start an empty
 * topic.
 */
export function openMessage(work: Work, target: MessageTarget, messageIn: (place: Place) => MessageSent): Opened {
  if (target.kind === 'existing') return work.open('message', messageIn(target.place));
  const { topicId, channelId } = target.topic;
  const [started, message] = startTopicWith(target.topic, messageIn({ channelId, topicId }));
  work.append(topicAggregate.stream(topicId), [started]);
  registerTopic(work, target.topic);
  return work.open('message', message);
}

/** Topics that a unit of work has started, renamed or moved, by channel and name. */
const TOPICS = new WorkState(() => new Map<string, TopicId>());

const keyOf = ({ channelId, name }: Omit<NewTopic, 'topicId'>): string => `${channelId} ${name}`;

/** Messages that the unit of work sends to this name later are sent to this topic. */
export function registerTopic(work: Work, topic: NewTopic): void {
  work.state(TOPICS).set(keyOf(topic), topic.topicId);
}

/** The topic that the unit of work has registered for a name. */
export const registeredTopic = (work: Work, channelId: ChannelId, name: string): TopicId | undefined =>
  work.state(TOPICS).get(keyOf({ channelId, name }));
