import { isSubscribedSql } from '@annals/channels';
import { RECEIVED_SQL } from './visibility';

/** Condition: the reader `r` has read message `m`. Sending or causing it is the only way of reading there is so far. */
export const READ_SQL = '(m.read_by IS NOT DISTINCT FROM r.user_id)';

/** Condition: the reader `r` left the channel after message `m`, which made it read (contract/subscriptions.md section 3). */
export const LEFT_SINCE_SQL = `EXISTS (SELECT FROM view.memberships AS g WHERE g.realm_id = m.realm_id
  AND g.user_id = r.user_id AND g.channel_id = m.channel_id AND g.to_position > m.message_id)`;

/** Condition: what was received and not read, direct or of a channel one is still subscribed to. */
export const UNREAD_SQL = `(NOT ${READ_SQL} AND ${RECEIVED_SQL}
  AND (m.channel_id IS NULL OR ${isSubscribedSql('m')} AND NOT ${LEFT_SINCE_SQL}))`;
