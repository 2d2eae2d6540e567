import type { ChannelId, Position, TopicId } from '@annals/kernel/domain';
import { defineAggregate, fact } from '@annals/kernel/domain';
import type { TopicEvent } from './events';
import { NEXT_EVENT, TopicStarted } from './events';
import { cut } from './text';

/** Code points (contract/conventions.md section 7). */
export const MAX_TOPIC_LENGTH = 60;
const ELLIPSIS = '...';
const NO_TOPIC = '(no topic)';

/** A topic as rules need it; null before it is started and after its last message was deleted. */
export interface Topic {
  readonly id: TopicId;
  readonly channelId: ChannelId;
  /** Null once it was erased. */
  readonly name: string | null;
  /** Position at which it came into its channel, where that is not kept for each of its messages; 0 otherwise. */
  readonly since: Position;
}

/**
 * Messages whose rows are written while the realm is locked, when their topic goes to another channel. Of a larger topic
 * only its own row is written.
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
  const name = written.trim();
  return name === emptyName ? '' : cut(name, MAX_TOPIC_LENGTH, ELLIPSIS);
}

/** The same where messages are sent or scheduled: there `(no topic)` is the empty topic too. */
export const sentTopic = (written: string, emptyName: string): string =>
  written.trim() === NO_TOPIC ? '' : storedTopic(written, emptyName);

/** Starts a topic with the message that follows in the same append. */
export const startTopic = (topicId: TopicId, channelId: ChannelId, name: string): TopicStarted =>
  fact(
    TopicStarted,
    { topicId, channelId, firstMessageId: NEXT_EVENT, ...(name === '' && { unnamed: true as const }) },
    { name },
  );
