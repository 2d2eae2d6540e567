import { isSubscribedSql } from '@annals/channels';
import { CHANGED_CHANNEL_SQL } from '../placement/placement-sql';
import { IN_CONVERSATION_SQL, SUBSCRIBED_WHEN_SENT_SQL } from '../visibility/visibility';

/** Condition: the reader `r` has read message `m`. So far, only users who sent or caused a message have read it. */
export const READ_SQL = '(m.read_by IS NOT DISTINCT FROM r.user_id)';

/**
 * Condition: the reader `r` left the channel of message `m` after it was sent, which made it read (contract/subscriptions.md
 * section 3). A reader whose account was deactivated and reactivated has not left. Needs PLACE_JOIN.
 */
const LEFT_SQL = `EXISTS (SELECT FROM view.memberships AS g WHERE g.realm_id = m.realm_id AND g.user_id = r.user_id
    AND g.channel_id = p.channel_id AND g.to_position > m.message_id AND g.held_until = g.to_position)`;

/**
 * Condition: message `m` may not be implicitly read for the reader `r`: it is direct, or the reader was subscribed when it
 * was sent and has not left since. For messages that changed their channel this is a superset, and `readImplicitReads`
 * decides, which follows a topic once for all its messages. Needs PLACE_JOIN.
 */
export const MAYBE_RETAINED_SQL = `(m.conversation_id IS NOT NULL OR ${SUBSCRIBED_WHEN_SENT_SQL} AND (${CHANGED_CHANNEL_SQL} OR NOT ${LEFT_SQL}))`;

/**
 * Condition: message `m` may be unread for the reader `r`: it is not read, and direct or in a channel that the reader is
 * subscribed to. A superset in the same way as MAYBE_RETAINED_SQL. Needs PLACE_JOIN.
 */
export const MAYBE_UNREAD_SQL = `(NOT ${READ_SQL} AND CASE WHEN m.conversation_id IS NOT NULL THEN ${IN_CONVERSATION_SQL}
  ELSE ${isSubscribedSql('p')} AND ${MAYBE_RETAINED_SQL} END)`;
