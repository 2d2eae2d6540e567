import type { ChannelId, MessageId, Position, TopicId, Verdict } from '@annals/kernel/domain';
import { allowed, defineAggregate, fact, refused } from '@annals/kernel/domain';
import type { MessageSent, TopicEvent } from './events';
import { NEXT_EVENT, TopicStarted } from './events';
import { reject } from './rejections';
import { RESOLVED_PREFIX } from './move/resolving';
import { cutTopic } from './message/text';

/** The name that stands for the empty topic where messages are sent, and counts as empty where topics are required. */
export const NO_TOPIC = '(no topic)';

/** A topic as decisions need it; null before it is started and after its last message was deleted. */
export interface Topic {
  readonly id: TopicId;
  readonly channelId: ChannelId;
  /** Null once it was erased. */
  readonly name: string | null;
  /** Position at which it was moved to its channel, where that is not stored for each of its messages; 0 otherwise. */
  readonly since: Position;
}

/**
 * Maximum of messages whose rows are updated, while the realm is locked, when their topic moves to another channel. Of a larger
 * topic only its own row is updated.
 */
export const REFILED_AT_MOST = 1_000;

const WITH_ITS_MESSAGES = 0 as Position;

export const topicAggregate = defineAggregate<Topic | null, TopicEvent, TopicId>('topic', null, (state, event) => {
  switch (event.type) {
    case 'messages.TopicStarted': {
      const { topicId: id, channelId } = event.data;
      return { id, channelId, name: event.sealed === 'erased' ? null : event.sealed.name, since: WITH_ITS_MESSAGES };
    }
    case 'messages.TopicMoved': {
      const { topicId: id, from, to, messages } = event.data;
      const came = messages > REFILED_AT_MOST ? event.position : WITH_ITS_MESSAGES;
      const since = from === to ? (state?.since ?? WITH_ITS_MESSAGES) : came;
      return { id, channelId: to, name: event.sealed === 'erased' ? null : event.sealed.name, since };
    }
    case 'messages.MessagesMoved':
      return state;
    case 'messages.TopicEnded':
      return null;
  }
});

/** Topics are compared without regard to letter case (contract/conventions.md section 6). */
export const topicKey = (name: string): string => name.toLowerCase();

/**
 * A topic's name as it is stored: trimmed, the realm's name for the empty topic read as empty, cut when it is too long
 * (contract/messages.md section 1).
 *
 * @param emptyName the realm's display name of the empty topic
 */
export function storedTopic(written: string, emptyName: string): string {
  return cutTopic(namedTopic(written, emptyName));
}

/** The name of an existing topic as a request gives it. It is not cut, since no topic has a longer name. */
export const namedTopic = (written: string, emptyName: string): string => {
  const name = written.trim();
  return name === emptyName ? '' : name;
};

/** The same for messages that are sent or scheduled: there `(no topic)` is the empty topic too. */
export const sentTopic = (written: string, emptyName: string): string =>
  written.trim() === NO_TOPIC ? '' : storedTopic(written, emptyName);

/** A topic to start. */
export interface NewTopic {
  readonly topicId: TopicId;
  readonly channelId: ChannelId;
  /** As topics are stored. */
  readonly name: string;
  /** The organization's, as events have it. */
  readonly language?: string | undefined;
}

/** Starts a topic for messages that exist. @param first the oldest of them */
export const startTopic = ({ topicId, channelId, name, language }: NewTopic, first: MessageId): TopicStarted => {
  const data = { topicId, channelId, firstMessageId: first, ...(language !== undefined && { language }) };
  return fact(TopicStarted, { ...data, ...(name === '' && { unnamed: true as const }) }, { name });
};

/** The start of a topic and its first message, to be appended in this order: the start names the message by its position. */
export type TopicWithMessage = readonly [started: TopicStarted, message: MessageSent];

/** Starts a topic with its first message. */
export const startTopicWith = (topic: NewTopic, message: MessageSent): TopicWithMessage => [
  startTopic({ ...topic, language: message.data.language }, NEXT_EVENT),
  message,
];

const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u;

/** Refuses control characters and non-characters in a topic, with the position of the first, counted from 1 in code points. */
export function isPrintableTopic(written: string): Verdict {
  const at = written.search(UNPRINTABLE);
  return at < 0 ? allowed : refused(reject.unprintableTopic({ position: [...written.slice(0, at)].length + 1 }));
}

/** Whether a new name marks the empty topic as resolved, which is not allowed. */
export const resolvesEmptyTopic = (written: string, emptyName: string): boolean =>
  written === RESOLVED_PREFIX.trim() || written === RESOLVED_PREFIX + emptyName;
