import type { ChannelPrivacy, Reader } from '@annals/channels';
import { historyScope, seesContentSql } from '@annals/channels';
import type { ChannelId, ConversationId, MessageId, Position, UserId } from '@annals/kernel/domain';

/** What decides who may see a message. */
export interface Placed {
  readonly id: MessageId;
  readonly senderId: UserId;
  readonly channelId: ChannelId | null;
  readonly conversationId: ConversationId | null;
  /** Position at which the message came into its channel. */
  readonly arrived: Position;
}

/** A stretch of the log in which somebody was subscribed: from ≤ position < to; null while it lasts. */
export interface Span {
  readonly from: Position;
  readonly to: Position | null;
}

/** What must be known of who asks. */
export interface Sight {
  readonly reader: Reader;
  spansIn(channel: ChannelId): readonly Span[];
  isIn(conversation: ConversationId): boolean;
  /** Whether the message called them by name when it was sent. */
  isCalledBy(message: MessageId): boolean;
}

/**
 * Whether a message reached somebody when it came: they were subscribed or took part, sent it, or were called by it as
 * it was sent.
 * Only what was received can be unread.
 */
export function isReceived(message: Placed, sight: Sight): boolean {
  const { channelId, conversationId, arrived } = message;
  if (conversationId !== null) return sight.isIn(conversationId);
  if (message.senderId === sight.reader.userId || sight.isCalledBy(message.id)) return true;
  const covers = ({ from, to }: Span) => from <= arrived && (to === null || arrived < to);
  return channelId !== null && sight.spansIn(channelId).some(covers);
}

/**
 * The one answer to "may this account see this message?" (contract/permissions.md section 6, history of a message).
 *
 * @param channel of a channel message
 */
export function isVisible(message: Placed, channel: ChannelPrivacy | null, sight: Sight): boolean {
  if (message.channelId === null || channel === null) return isReceived(message, sight);
  const isSubscribed = sight.spansIn(message.channelId).some(({ to }) => to === null);
  switch (historyScope(channel, sight.reader, isSubscribed)) {
    case 'all':
      return true;
    case 'received':
      return isReceived(message, sight);
    case 'none':
      return false;
  }
}

/** `isReceived` for row `m` of `view.messages` and the reader `r` of channels' READER; tested against each other. */
export const RECEIVED_SQL = `CASE WHEN m.conversation_id IS NOT NULL
  THEN EXISTS (SELECT FROM view.conversation_members AS v
    WHERE v.realm_id = m.realm_id AND v.user_id = r.user_id AND v.conversation_id = m.conversation_id)
  ELSE m.sender_id = r.user_id
    OR EXISTS (SELECT FROM view.memberships AS s WHERE s.realm_id = m.realm_id AND s.user_id = r.user_id
      AND s.channel_id = m.channel_id AND s.from_position <= m.arrived
      AND (s.to_position IS NULL OR m.arrived < s.to_position))
    OR EXISTS (SELECT FROM view.called AS n WHERE n.realm_id = m.realm_id AND n.message_id = m.message_id
      AND n.user_id = r.user_id) END`;

/** The channel of row `m`, as row `c`; all null for a direct message. */
export const CHANNEL_JOIN = 'LEFT JOIN view.channels AS c ON c.realm_id = m.realm_id AND c.channel_id = m.channel_id';

/** `isVisible` in the same way; needs CHANNEL_JOIN. */
export const VISIBLE_SQL = `(CASE WHEN m.channel_id IS NULL THEN ${RECEIVED_SQL}
  ELSE ${seesContentSql('c')} AND (c.history_public_to_subscribers OR ${RECEIVED_SQL}) END)`;
