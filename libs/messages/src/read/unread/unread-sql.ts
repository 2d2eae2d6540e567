import { isSubscribedSql } from '@annals/channels';
import { hadMutedSql } from '@annals/users';
import { CHANGED_CHANNEL_SQL } from '../placement/placement-sql';
import { readOnArrivalSql } from '../placement/read-on-arrival';
import { IN_CONVERSATION_SQL, SUBSCRIBED_WHEN_SENT_SQL } from '../visibility/visibility';
import { READ_STATE_BLOCK } from '../flags/read-state.view';

/*
 * Conditions on message `m` and the reader `r` of channels' READER, whose first placeholder is the realm. Together they are
 * the rule of decision 41; `isUnread` and `unreadBefore` apply the same rule in code.
 */

/** Condition: the reader marked message `m` as read after the watermark. As part of an AND it becomes an anti-join. */
export const MARKED_READ_SQL = `EXISTS (SELECT FROM view.read_blocks AS k WHERE k.realm_id = $1 AND k.user_id = r.user_id
  AND k.block = m.message_id / ${READ_STATE_BLOCK} AND get_bit(k.bits, (m.message_id % ${READ_STATE_BLOCK})::int4) = 1)`;

/** Condition: the reader starred, collapsed or marked message `m` as unread, now or earlier, and so has a copy of it. */
export const HAS_FLAG_SQL = `EXISTS (SELECT FROM view.personal_flags AS f WHERE f.realm_id = $1 AND f.user_id = r.user_id
  AND f.message_id = m.message_id)`;

/** Position up to which the reader has read everything. */
export const WATERMARK_SQL = `coalesce((SELECT w.position FROM view.read_watermarks AS w
  WHERE w.realm_id = $1 AND w.user_id = r.user_id), 0)`;

/**
 * Condition: message `m` has not been read in another way than by marks: the reader did not send or cause it, had not
 * muted its sender, and it is after the watermark.
 */
export const NOT_READ_BEFORE_SQL = `(NOT ${readOnArrivalSql('r.user_id')} AND m.message_id > ${WATERMARK_SQL}
  AND NOT ${hadMutedSql('r.user_id', 'm.sender_id', 'm.message_id')})`;

/**
 * Condition: the reader `r` left the channel of message `m` after a position, which made it read (contract/subscriptions.md
 * section 3). A reader whose account was deactivated and reactivated has not left. Needs PLACE_JOIN.
 */
const leftAfterSql = (
  position: string,
): string => `EXISTS (SELECT FROM view.memberships AS g WHERE g.realm_id = m.realm_id AND g.user_id = r.user_id
  AND g.channel_id = p.channel_id AND g.to_position > ${position} AND g.continuous_until = g.to_position)`;

/** The same for a message that is direct or changed its channel: for these, `stillUnread` decides. Needs PLACE_JOIN. */
const maybeRetainedSql = (position: string): string =>
  `(m.conversation_id IS NOT NULL OR ${CHANGED_CHANNEL_SQL} OR NOT ${leftAfterSql(position)})`;

/** The row of `view.personal_flags` with which the reader marked message `m` as unread after the watermark. */
const MARKED_UNREAD = `FROM view.personal_flags AS f WHERE f.realm_id = $1 AND f.user_id = r.user_id
  AND f.message_id = m.message_id AND f.unread_since > ${WATERMARK_SQL}`;

/** Position at which the reader marked message `m` as unread after the watermark, or null. */
export const MARKED_UNREAD_AT_SQL = `(SELECT f.unread_since ${MARKED_UNREAD})`;

/**
 * Condition: message `m` may be unread for the reader: it is direct or in a channel that the reader is subscribed to, it is not
 * marked as read, and the reader marked it as unread, or received it as a subscriber or participant and has not read it. For
 * messages that changed their channel this is a superset, and `stillUnread` decides, which follows a topic once for all its
 * messages. Needs PLACE_JOIN.
 */
export const MAYBE_UNREAD_SQL = `(NOT ${MARKED_READ_SQL}
  AND CASE WHEN m.conversation_id IS NOT NULL THEN ${IN_CONVERSATION_SQL} ELSE ${isSubscribedSql('p')} END
  AND (${NOT_READ_BEFORE_SQL} AND (m.conversation_id IS NOT NULL OR ${SUBSCRIBED_WHEN_SENT_SQL})
      AND ${maybeRetainedSql('m.message_id')}
    OR EXISTS (SELECT ${MARKED_UNREAD} AND ${maybeRetainedSql('f.unread_since')})))`;
