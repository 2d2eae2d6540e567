import { isSubscribedSql } from '@annals/channels';
import { TRAVELLED_SQL, channelAtSql } from './stays';
import { RECEIVED_SQL } from './visibility';

/** Condition: the reader `r` has read message `m`. Sending or causing it is the only way of reading there is so far. */
export const READ_SQL = '(m.read_by IS NOT DISTINCT FROM r.user_id)';

/**
 * Condition: the reader `r` left a channel while message `m` was there, which made it read (contract/subscriptions.md
 * section 3); needs PLACE_JOIN.
 */
export const LEFT_SINCE_SQL = `CASE WHEN ${TRAVELLED_SQL}
  THEN EXISTS (SELECT FROM view.memberships AS g WHERE g.realm_id = m.realm_id AND g.user_id = r.user_id
    AND g.to_position > m.message_id AND g.channel_id = ${channelAtSql('g.to_position')})
  ELSE EXISTS (SELECT FROM view.memberships AS g WHERE g.realm_id = m.realm_id AND g.user_id = r.user_id
    AND g.channel_id = p.channel_id AND g.to_position > m.message_id) END`;

/**
 * Condition: what was received and not read, direct or in a channel that one is subscribed to now; needs PLACE_JOIN.
 */
export const UNREAD_SQL = `(NOT ${READ_SQL} AND ${RECEIVED_SQL}
  AND (m.conversation_id IS NOT NULL OR ${isSubscribedSql('p')} AND NOT ${LEFT_SINCE_SQL}))`;
