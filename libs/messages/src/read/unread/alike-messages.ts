import type { Actor, ChannelId, MessageId, UserId } from '@annals/kernel/domain';
import type { Pool } from 'pg';
import { LEFT_CHANNEL_ALONE_SQL, TOPIC_CHANGED_CHANNEL_SQL } from '../placement/placement-sql';
import { readOnArrivalSql } from '../placement/read-on-arrival';
import { IN_CONVERSATION_SQL } from '../visibility/visibility';

/** Messages that are alike in what decides whether they are unread. */
export interface AlikeMessages {
  readonly ids: readonly MessageId[];
  /** The messages changed their channel, or are newer than what the process has cached. */
  readonly needsPast: boolean;
  /** Null for direct messages. */
  readonly channelId: ChannelId | null;
  /** The sender if the user has muted that sender at any time; otherwise 0. */
  readonly senderId: UserId;
  /** Whether the user had read the messages when they arrived, apart from mutes. */
  readonly wasRead: boolean;
}

/** Reads messages in groups: ten thousand of them have few topics. Direct messages are those of conversations of the user. */
export async function readAlikeMessages(
  pool: Pool,
  { realmId, userId }: Pick<Actor, 'realmId' | 'userId'>,
  ids: readonly MessageId[],
  { mutedUsers, reached }: { readonly mutedUsers: readonly UserId[]; readonly reached: number },
): Promise<AlikeMessages[]> {
  const { rows } = await pool.query<Omit<AlikeMessages, 'ids'> & { ids: string }>({
    name: 'messages-alike',
    // Few large values: so many rows would take longer to read. Topics are joined to groups: fewer than messages.
    text: `SELECT p.channel_id AS "channelId", g.sender_id AS "senderId", g.was_read AS "wasRead",
        g.needs_past OR coalesce(${TOPIC_CHANGED_CHANNEL_SQL}, false) AS "needsPast", g.ids
      FROM (SELECT m.realm_id, m.topic_id, CASE WHEN m.sender_id = ANY($4::int4[]) THEN m.sender_id ELSE 0 END AS sender_id,
          ${readOnArrivalSql('r.user_id')} AS was_read,
          m.message_id > $5 OR m.conversation_id IS NULL AND ${LEFT_CHANNEL_ALONE_SQL} AS needs_past,
          json_agg(m.message_id)::text AS ids
        FROM (SELECT $3::int4 AS user_id) AS r CROSS JOIN view.messages AS m
        WHERE m.realm_id = $1 AND m.message_id = ANY($2::int8[]) AND (m.conversation_id IS NULL OR ${IN_CONVERSATION_SQL})
        GROUP BY 1, 2, 3, 4, 5) AS g
      LEFT JOIN view.topics AS p ON p.realm_id = g.realm_id AND p.topic_id = g.topic_id`,
    values: [realmId, ids, userId, mutedUsers, reached],
  });
  return rows.map((row) => ({ ...row, ids: JSON.parse(row.ids) as MessageId[] }));
}
