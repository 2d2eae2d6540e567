import type { Actor, ChannelId, MessageId, UserId } from '@annals/kernel/domain';
import type { Pool } from 'pg';
import { CHANGED_CHANNEL_SQL } from '../placement/placement-sql';
import { readOnArrivalSql } from '../placement/read-on-arrival';
import { IN_CONVERSATION_SQL, PLACE_JOIN } from '../visibility/visibility';

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

/** Reads messages in groups: ten thousand of them have few channels. Direct messages are those of conversations of the user. */
export async function readAlikeMessages(
  pool: Pool,
  { realmId, userId }: Pick<Actor, 'realmId' | 'userId'>,
  ids: readonly MessageId[],
  { mutedUsers, reached }: { readonly mutedUsers: readonly UserId[]; readonly reached: number },
): Promise<AlikeMessages[]> {
  const { rows } = await pool.query<Omit<AlikeMessages, 'ids'> & { ids: string }>({
    name: 'messages-alike',
    // Few large values: so many rows would take longer to read.
    text: `SELECT p.channel_id AS "channelId", CASE WHEN m.sender_id = ANY($4::int4[]) THEN m.sender_id ELSE 0 END AS "senderId",
        ${readOnArrivalSql('r.user_id')} AS "wasRead",
        m.message_id > $5 OR m.conversation_id IS NULL AND ${CHANGED_CHANNEL_SQL} AS "needsPast",
        json_agg(m.message_id)::text AS ids
      FROM (SELECT $3::int4 AS user_id) AS r CROSS JOIN view.messages AS m ${PLACE_JOIN}
      WHERE m.realm_id = $1 AND m.message_id = ANY($2::int8[]) AND (m.conversation_id IS NULL OR ${IN_CONVERSATION_SQL})
      GROUP BY 1, 2, 3, 4`,
    values: [realmId, ids, userId, mutedUsers, reached],
  });
  return rows.map((row) => ({ ...row, ids: JSON.parse(row.ids) as MessageId[] }));
}
