import { isSubscribedSql } from '@annals/channels';
import { TRAVELLED_SQL } from '../placement/placement-sql';
import { TAKES_PART_SQL, WAS_THERE_SQL } from '../visibility/visibility';

/** Condition: the reader `r` has read message `m`. Sending or causing it is the only way of reading there is so far. */
export const READ_SQL = '(m.read_by IS NOT DISTINCT FROM r.user_id)';

/**
 * Condition: the reader `r` left the channel in which message `m` is since it was sent, which made it read
 * (contract/subscriptions.md section 3); where their account ended and came back, nothing was left. Needs PLACE_JOIN.
 */
const LEFT_SQL = `EXISTS (SELECT FROM view.memberships AS g WHERE g.realm_id = m.realm_id AND g.user_id = r.user_id
    AND g.channel_id = p.channel_id AND g.to_position > m.message_id AND g.held_until = g.to_position)`;

/**
 * Condition: the reader `r` and message `m` may not have parted: in a conversation nobody parts from a message; in a
 * channel one was subscribed when it was sent, and has not left since. Of what travelled `readPartings` is to be asked
 * too, which follows a topic once, however many messages went with it. Needs PLACE_JOIN.
 */
export const STAYED_UNLESS_PARTED = `(m.conversation_id IS NOT NULL OR ${WAS_THERE_SQL} AND (${TRAVELLED_SQL} OR NOT ${LEFT_SQL}))`;

/**
 * Condition: what is not read, direct or in a channel that one is subscribed to now and was when it was sent; needs
 * PLACE_JOIN. Of what travelled `readPartings` is to be asked too.
 */
export const UNREAD_UNLESS_PARTED = `(NOT ${READ_SQL} AND CASE WHEN m.conversation_id IS NOT NULL THEN ${TAKES_PART_SQL}
  ELSE ${isSubscribedSql('p')} AND ${STAYED_UNLESS_PARTED} END)`;
