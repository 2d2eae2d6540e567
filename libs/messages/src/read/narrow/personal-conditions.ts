import { READER, readerValues } from '@annals/channels';
import type { Actor, MessageId } from '@annals/kernel/domain';
import type { Pool } from 'pg';
import { CHANGED_CHANNEL_SQL } from '../placement/placement-sql';
import { stillUnread } from '../unread/still-unread';
import { MAYBE_UNREAD_SQL } from '../unread/unread-sql';
import { PLACE_JOIN, RECEIVED_SQL } from '../visibility/visibility';
import type { CandidateJoins, PartialCondition } from './compiled-narrow';

const MOVED_SQL = `(m.conversation_id IS NULL AND ${CHANGED_CHANNEL_SQL})`;

/** The message is unread for the reader (decision 41). The timeline decides for messages that changed their channel. */
export const UNREAD: PartialCondition = {
  maybe: MAYBE_UNREAD_SQL,
  surely: `${MAYBE_UNREAD_SQL} AND NOT ${MOVED_SQL}`,
  decide: async (pool, by, ids) => {
    const moved = await maybeUnreadElsewhere(pool, by, ids);
    const unread = new Set(await stillUnread(pool, by, moved));
    return new Map(moved.map((id) => [id, unread.has(id)]));
  },
  candidates: null,
};

async function maybeUnreadElsewhere(pool: Pool, by: Actor, ids: readonly MessageId[]): Promise<MessageId[]> {
  const { rows } = await pool.query<{ id: MessageId }>({
    name: 'messages-maybe-unread-elsewhere',
    text: `SELECT m.message_id AS id FROM ${READER} CROSS JOIN view.messages AS m ${PLACE_JOIN}
      WHERE m.realm_id = $1 AND m.message_id = ANY($6::int8[]) AND ${MOVED_SQL} AND ${MAYBE_UNREAD_SQL}`,
    values: [...readerValues(by), ids],
  });
  return rows.map(({ id }) => id);
}

/** Condition: the reader starred message `m`. */
export const STARRED_SQL = `EXISTS (SELECT FROM view.personal_flags AS f WHERE f.realm_id = $1
  AND f.user_id = r.user_id AND f.message_id = m.message_id AND f.starred)`;

/** Finds the messages that the reader starred. */
export const starredMessages: CandidateJoins = (inRange) => `JOIN view.personal_flags AS f ON f.realm_id = $1
    AND f.user_id = r.user_id AND f.starred AND ${inRange('f.message_id')}
  JOIN view.messages AS m ON m.realm_id = $1 AND m.message_id = f.message_id`;

/** Condition: the reader received message `m`, and had an alert word in it when it was written. */
export const ALERTED_SQL = `(${RECEIVED_SQL}) AND coalesce(r.user_id = ANY(m.alerted_users), false)`;

/** Finds the messages with an alert word of any user. */
export const alertedMessages: CandidateJoins = (inRange) =>
  `JOIN view.messages AS m ON m.realm_id = $1 AND m.alerted_users IS NOT NULL AND ${inRange('m.message_id')}`;
