import type { ChannelPrivacy, Reader } from '@annals/channels';
import { historyScope, seesContentSql } from '@annals/channels';
import { containsSql } from '@annals/kernel';
import type { ChannelId, ConversationId, MessageId, Position, Span, UserId } from '@annals/kernel/domain';
import { covers, isCurrent } from '@annals/kernel/domain';

/** The facts that decide who may see a message. */
export interface VisibilityFacts {
  readonly id: MessageId;
  readonly senderId: UserId;
  /** The present channel. */
  readonly channelId: ChannelId | null;
  /** The channel that it was sent to. */
  readonly sentChannelId: ChannelId | null;
  readonly conversationId: ConversationId | null;
  /** Position at which the message arrived in its channel, by itself or with its topic. */
  readonly arrived: Position;
}

/** The facts about a reader that decide which messages are visible. */
export interface ReaderFacts {
  readonly reader: Reader;
  spansIn(channel: ChannelId): readonly Span[];
  isIn(conversation: ConversationId): boolean;
  /** Whether the message mentioned the reader by name when it was sent. */
  isMentionedBy(message: MessageId): boolean;
}

/** Whether the reader sent a message or was mentioned in it when it was sent. */
const isSenderOrMentioned = (message: VisibilityFacts, facts: ReaderFacts): boolean =>
  message.senderId === facts.reader.userId || facts.isMentionedBy(message.id);

/**
 * Whether the reader received a message when it was sent: as a subscriber or participant, as its sender, or because it
 * mentioned them. Senders and mentioned users who are not subscribed never have the message unread
 * (SUBSCRIBED_WHEN_SENT_SQL).
 */
export function isReceived(message: VisibilityFacts, facts: ReaderFacts): boolean {
  const { id, sentChannelId, conversationId } = message;
  if (conversationId !== null) return facts.isIn(conversationId);
  return isSenderOrMentioned(message, facts) || (sentChannelId !== null && covers(facts.spansIn(sentChannelId), id));
}

/**
 * Whether a message arrived for the reader in the channel where it is now, which makes it visible in a channel with
 * protected history: the reader was subscribed when it arrived there, or sent it or was mentioned, and it was not moved
 * there from another channel.
 */
function arrivedFor(message: VisibilityFacts, facts: ReaderFacts): boolean {
  const { id, channelId, conversationId, arrived } = message;
  if (conversationId !== null) return facts.isIn(conversationId);
  if (channelId !== null && covers(facts.spansIn(channelId), arrived)) return true;
  return arrived === (id as number) && isSenderOrMentioned(message, facts);
}

/**
 * The one answer to "may this account see this message?" (contract/permissions.md section 6, history of a message).
 *
 * @param channel of a channel message
 */
export function isVisible(message: VisibilityFacts, channel: ChannelPrivacy | null, facts: ReaderFacts): boolean {
  if (message.channelId === null || channel === null) return arrivedFor(message, facts);
  const isSubscribed = facts.spansIn(message.channelId).some(isCurrent);
  switch (historyScope(channel, facts.reader, isSubscribed)) {
    case 'all':
      return true;
    case 'received':
      return arrivedFor(message, facts);
    case 'none':
      return false;
  }
}

/** Condition: the reader `r` is part of the conversation of row `m`. */
export const IN_CONVERSATION_SQL = `EXISTS (SELECT FROM view.conversation_members AS v
    WHERE v.realm_id = m.realm_id AND v.user_id = r.user_id AND v.conversation_id = m.conversation_id)`;

/** `isSenderOrMentioned` for row `m` of `view.messages` and the reader `r` of channels' READER. */
const SENDER_OR_MENTIONED_SQL = `(m.sender_id = r.user_id OR EXISTS (SELECT FROM view.mentioned_when_sent AS n
    WHERE n.realm_id = m.realm_id AND n.message_id = m.message_id AND n.user_id = r.user_id))`;

/** Condition: the reader `r` was subscribed to a channel at a position. */
const subscribedAtSql = (channel: string, position: string): string =>
  `EXISTS (SELECT FROM view.memberships AS s WHERE s.realm_id = m.realm_id AND s.user_id = r.user_id
    AND s.channel_id = ${channel} AND ${containsSql('s', position)})`;

/**
 * Condition: the reader `r` was subscribed to the channel that message `m` was sent to when it was sent. Only such readers,
 * and the participants of a conversation, can have a message unread.
 */
export const SUBSCRIBED_WHEN_SENT_SQL = subscribedAtSql('m.sent_channel_id', 'm.message_id');

/** Condition: message `m` was sent during membership `s`. */
export const SENT_DURING_SQL = containsSql('s', 'm.message_id');

/** `isReceived` for row `m` and the reader `r`. A property test compares both. */
export const RECEIVED_SQL = `CASE WHEN m.conversation_id IS NOT NULL THEN ${IN_CONVERSATION_SQL}
  ELSE ${SENDER_OR_MENTIONED_SQL} OR ${SUBSCRIBED_WHEN_SENT_SQL} END`;

/**
 * The topic of row `m` as row `p`, its channel as row `c`. Both are null for a direct message. The row of the topic
 * decides the channel, whatever channel the message is stored under.
 */
export const PLACE_JOIN = `LEFT JOIN view.topics AS p ON p.realm_id = m.realm_id AND p.topic_id = m.topic_id
  LEFT JOIN view.channels AS c ON c.realm_id = p.realm_id AND c.channel_id = p.channel_id`;

/** Position at which row `m` arrived in its channel; needs PLACE_JOIN. */
export const ARRIVED_SQL = 'greatest(m.arrived, p.arrived)';

/** `arrivedFor` in the same way; needs PLACE_JOIN. */
export const ARRIVED_FOR_READER_SQL = `CASE WHEN m.conversation_id IS NOT NULL THEN ${IN_CONVERSATION_SQL}
  ELSE ${subscribedAtSql('p.channel_id', ARRIVED_SQL)} OR (${ARRIVED_SQL} = m.message_id AND ${SENDER_OR_MENTIONED_SQL}) END`;

/** `isVisible` in the same way; needs PLACE_JOIN. */
export const VISIBLE_SQL = `(CASE WHEN m.conversation_id IS NOT NULL THEN ${ARRIVED_FOR_READER_SQL}
  ELSE ${seesContentSql('c')} AND (c.history_public_to_subscribers OR ${ARRIVED_FOR_READER_SQL}) END)`;
