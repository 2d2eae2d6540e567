import { isSubscribedSql } from '@annals/channels';
import { RECEIVED_SQL } from './visibility';

/** Condition: the reader `r` has read message `m`. Sending or causing it is the only way of reading there is so far. */
export const READ_SQL = '(m.read_by IS NOT DISTINCT FROM r.user_id)';

/** Condition: what was received and not read, direct or of a channel one is still subscribed to. */
export const UNREAD_SQL = `(NOT ${READ_SQL} AND ${RECEIVED_SQL} AND (m.channel_id IS NULL OR ${isSubscribedSql('m')}))`;
