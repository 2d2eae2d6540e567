import type { Unsubscribed } from '@annals/channels/events';
import type { ChannelId, Recorded, TopicId, UserId } from '@annals/kernel/domain';
import type { AllMarkedRead, FlagsChanged } from '@annals/messages';
import { decodeIds } from '@annals/messages';
import type { MessagesMoved, TopicMoved } from '@annals/messages/events';

/** Where messages are that an event may have made read: among those of some users, or in a topic. */
export type BecameRead =
  | {
      readonly users: readonly UserId[];
      /** Null for messages anywhere. */
      readonly channelId: ChannelId | null;
      /** Ids of messages, both included. */
      readonly first: number;
      readonly last: number;
    }
  | { readonly topicId: TopicId };

/** Types of events that may make messages read. */
export const READING_EVENTS = [
  'messages.FlagsChanged',
  'messages.AllMarkedRead',
  'messages.TopicMoved',
  'messages.MessagesMoved',
  'channels.Unsubscribed',
] as const;

/**
 * The messages that an event may have made read (decision 41): a user marked messages as read, users unsubscribed from
 * a channel, or messages were moved to another channel. Null for other events.
 */
export function becameRead(event: Recorded): BecameRead | null {
  const everything = { channelId: null, first: 1, last: event.position };
  if (is<FlagsChanged>(event, 'messages.FlagsChanged')) {
    const { userId, flag, op, ids } = event.data;
    if (flag !== 'read' || op !== 'add') return null;
    const marked = decodeIds(ids);
    return { ...everything, users: [userId], first: marked[0] ?? 1, last: marked.at(-1) ?? event.position };
  }
  if (is<AllMarkedRead>(event, 'messages.AllMarkedRead')) return { ...everything, users: [event.data.userId] };
  if (is<Unsubscribed>(event, 'channels.Unsubscribed')) {
    return { ...everything, users: event.data.userIds, channelId: event.data.channelId };
  }
  if (is<TopicMoved>(event, 'messages.TopicMoved')) {
    const { topicId, from, to } = event.data;
    return from === to ? null : { topicId };
  }
  if (is<MessagesMoved>(event, 'messages.MessagesMoved')) {
    const { from, to } = event.data;
    return from.channelId === to.channelId ? null : { topicId: to.topicId };
  }
  return null;
}

const is = <E extends { readonly type: string; readonly data: unknown }>(
  event: Recorded,
  type: E['type'] & (typeof READING_EVENTS)[number],
): event is Recorded & E => event.type === type;
