import { isSubscribedSql } from '@annals/channels';
import { BROUGHT_AWAY_SQL, TRAVELLED_SQL, channelAtSql } from './stays';
import { RECEIVED_SQL } from './visibility';

/** Condition: the reader `r` has read message `m`. Sending or causing it is the only way of reading there is so far. */
export const READ_SQL = '(m.read_by IS NOT DISTINCT FROM r.user_id)';

/** Condition: stay `g` was left since message `m` was sent; where the account ended and came back, nothing was left. */
const LEFT_SINCE = '(g.to_position > m.message_id AND g.held_until = g.to_position)';

/** Condition: the reader `r` left the channel in which message `m` is; needs PLACE_JOIN. */
const LEFT_SQL = `EXISTS (SELECT FROM view.memberships AS g WHERE g.realm_id = m.realm_id AND g.user_id = r.user_id
    AND g.channel_id = p.channel_id AND ${LEFT_SINCE})`;

/**
 * Condition: the reader `r` and message `m` parted since it was sent, which made it read: they left the channel where it
 * was (contract/subscriptions.md section 3), or it was brought to a channel that they were not in (contract/messages.md
 * section 5.3); needs PLACE_JOIN. `readPartings` tells the same of many readers.
 */
export const PARTED_SQL = `CASE WHEN ${TRAVELLED_SQL}
  THEN EXISTS (SELECT FROM view.memberships AS g WHERE g.realm_id = m.realm_id AND g.user_id = r.user_id
      AND ${LEFT_SINCE} AND g.channel_id = ${channelAtSql('g.to_position')})
    OR ${BROUGHT_AWAY_SQL}
  ELSE ${LEFT_SQL} END`;

/**
 * Condition: what was received and not read, direct or in a channel that one is subscribed to now; needs PLACE_JOIN. Of
 * what travelled `readPartings` is to be asked too, which follows a topic once, however many messages went with it.
 */
export const UNREAD_UNLESS_PARTED = `(NOT ${READ_SQL} AND ${RECEIVED_SQL}
  AND (m.conversation_id IS NOT NULL OR ${isSubscribedSql('p')} AND (${TRAVELLED_SQL} OR NOT ${LEFT_SQL})))`;
