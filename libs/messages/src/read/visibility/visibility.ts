import type { ChannelPrivacy, Reader } from '@annals/channels';
import { historyScope, seesContentSql } from '@annals/channels';
import type { ChannelId, ConversationId, MessageId, Position, UserId } from '@annals/kernel/domain';
import type { Span } from './spans';
import { covers } from './spans';

/** What decides who may see a message. */
export interface Placed {
  readonly id: MessageId;
  readonly senderId: UserId;
  /** Where it is now. */
  readonly channelId: ChannelId | null;
  /** Where it was sent to. */
  readonly sentChannelId: ChannelId | null;
  readonly conversationId: ConversationId | null;
  /** Position at which the message came into its channel, by itself or with its topic. */
  readonly arrived: Position;
}

/** What must be known of who asks. */
export interface Sight {
  readonly reader: Reader;
  spansIn(channel: ChannelId): readonly Span[];
  isIn(conversation: ConversationId): boolean;
  /** Whether the message called them by name when it was sent. */
  isCalledBy(message: MessageId): boolean;
}

/** Whether somebody sent a message or was called by it as it was sent. */
const isConcerned = (message: Placed, sight: Sight): boolean =>
  message.senderId === sight.reader.userId || sight.isCalledBy(message.id);

/**
 * Whether a message reached somebody when it was sent: they were subscribed or took part, sent it, or were called by it.
 * Whom a channel message reached outside the channel has read it from the start (WAS_THERE_SQL).
 */
export function isReceived(message: Placed, sight: Sight): boolean {
  const { id, sentChannelId, conversationId } = message;
  if (conversationId !== null) return sight.isIn(conversationId);
  return isConcerned(message, sight) || (sentChannelId !== null && covers(sight.spansIn(sentChannelId), id));
}

/**
 * Whether a message came to somebody in the channel where it is now, which opens it to them in a channel with protected
 * history: they were subscribed as it arrived there, or it concerned them and was not brought there from elsewhere.
 */
function cameTo(message: Placed, sight: Sight): boolean {
  const { id, channelId, conversationId, arrived } = message;
  if (conversationId !== null) return sight.isIn(conversationId);
  if (channelId !== null && covers(sight.spansIn(channelId), arrived)) return true;
  return arrived === (id as number) && isConcerned(message, sight);
}

/**
 * The one answer to "may this account see this message?" (contract/permissions.md section 6, history of a message).
 *
 * @param channel of a channel message
 */
export function isVisible(message: Placed, channel: ChannelPrivacy | null, sight: Sight): boolean {
  if (message.channelId === null || channel === null) return cameTo(message, sight);
  const isSubscribed = sight.spansIn(message.channelId).some(({ to }) => to === null);
  switch (historyScope(channel, sight.reader, isSubscribed)) {
    case 'all':
      return true;
    case 'received':
      return cameTo(message, sight);
    case 'none':
      return false;
  }
}

/** Condition: the reader `r` takes part in the conversation of row `m`. */
export const TAKES_PART_SQL = `EXISTS (SELECT FROM view.conversation_members AS v
    WHERE v.realm_id = m.realm_id AND v.user_id = r.user_id AND v.conversation_id = m.conversation_id)`;

/** `isConcerned` for row `m` of `view.messages` and the reader `r` of channels' READER. */
const CONCERNED_SQL = `(m.sender_id = r.user_id OR EXISTS (SELECT FROM view.called AS n
    WHERE n.realm_id = m.realm_id AND n.message_id = m.message_id AND n.user_id = r.user_id))`;

/** Condition: the reader `r` was subscribed to a channel at a position. */
const subscribedAtSql = (channel: string, position: string): string =>
  `EXISTS (SELECT FROM view.memberships AS s WHERE s.realm_id = m.realm_id AND s.user_id = r.user_id
    AND s.channel_id = ${channel} AND s.from_position <= ${position}
    AND (s.to_position IS NULL OR ${position} < s.to_position))`;

/**
 * Condition: the reader `r` was subscribed to the channel that message `m` was sent to when it was sent. Only they, and
 * who takes part in a conversation, can have a message unread.
 */
export const WAS_THERE_SQL = subscribedAtSql('m.sent_channel_id', 'm.message_id');

/** `isReceived` for row `m` and the reader `r`; tested against each other. */
export const RECEIVED_SQL = `CASE WHEN m.conversation_id IS NOT NULL THEN ${TAKES_PART_SQL}
  ELSE ${CONCERNED_SQL} OR ${WAS_THERE_SQL} END`;

/**
 * Where row `m` is now: its topic as row `p`, its channel as row `c`; both all null for a direct message. The topic tells
 * the channel, whatever the message is filed under.
 */
export const PLACE_JOIN = `LEFT JOIN view.topics AS p ON p.realm_id = m.realm_id AND p.topic_id = m.topic_id
  LEFT JOIN view.channels AS c ON c.realm_id = p.realm_id AND c.channel_id = p.channel_id`;

/** Position at which row `m` came into its channel; needs PLACE_JOIN. */
export const ARRIVED_SQL = 'greatest(m.arrived, p.arrived)';

/** `cameTo` in the same way; needs PLACE_JOIN. */
export const CAME_SQL = `CASE WHEN m.conversation_id IS NOT NULL THEN ${TAKES_PART_SQL}
  ELSE ${subscribedAtSql('p.channel_id', ARRIVED_SQL)} OR (${ARRIVED_SQL} = m.message_id AND ${CONCERNED_SQL}) END`;

/** `isVisible` in the same way; needs PLACE_JOIN. */
export const VISIBLE_SQL = `(CASE WHEN m.conversation_id IS NOT NULL THEN ${CAME_SQL}
  ELSE ${seesContentSql('c')} AND (c.history_public_to_subscribers OR ${CAME_SQL}) END)`;
