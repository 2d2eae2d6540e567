import { READER, readerValues } from '@annals/channels';
import { readMembership } from '@annals/groups';
import type { Actor, GroupId, Instant, MessageId, Position } from '@annals/kernel/domain';
import type { Pool } from 'pg';
import { RECEIVED_SQL } from '../visibility/visibility';
import type { CandidateJoins, PartialCondition } from './compiled-narrow';

/**
 * Condition: the present text of message `m` mentions a user by name.
 *
 * @param user expression for the user's id
 */
export const mentionsSql = (user: string): string => `EXISTS (SELECT FROM view.mentions AS n
  WHERE n.realm_id = m.realm_id AND n.message_id = m.message_id AND n.user_id = ${user})`;

/** Finds the messages for which `mentionsSql` holds. */
export const mentioning =
  (user: string): CandidateJoins =>
  (inRange) => `JOIN view.mentions AS n ON n.realm_id = $1 AND n.user_id = ${user} AND ${inRange('n.message_id')}
    JOIN view.messages AS m ON m.realm_id = $1 AND m.message_id = n.message_id`;

/** Condition: message `m` mentions groups, or everybody. It has an index. */
const MENTIONS_MANY_SQL = '(m.mentioned_groups IS NOT NULL OR m.channel_wildcard OR m.topic_participants IS NOT NULL)';

const BY_NAME_OR_WILDCARD = `(${mentionsSql('r.user_id')} OR m.channel_wildcard
  OR coalesce(r.user_id = ANY(m.topic_participants), false))`;

/**
 * The reader received the message, and it mentions them by name, by a wildcard, or as a member of a group when it was
 * written (contract/messages.md section 8). Memberships of groups are decided by code.
 */
export const MENTIONED: PartialCondition = {
  maybe: `(${RECEIVED_SQL}) AND (${BY_NAME_OR_WILDCARD} OR m.mentioned_groups IS NOT NULL)`,
  surely: `(${RECEIVED_SQL}) AND ${BY_NAME_OR_WILDCARD}`,
  decide: readGroupMentions,
  candidates: [
    mentioning('r.user_id'),
    (inRange) => `JOIN view.messages AS m ON m.realm_id = $1 AND ${MENTIONS_MANY_SQL} AND ${inRange('m.message_id')}`,
  ],
};

interface GroupMention {
  readonly id: MessageId;
  readonly groups: readonly (string | number)[];
  readonly position: Position;
  readonly at: Instant;
}

/** Whether messages that mention only groups mention the reader. */
async function readGroupMentions(pool: Pool, by: Actor, ids: readonly MessageId[]): Promise<Map<MessageId, boolean>> {
  const { rows } = await pool.query<GroupMention>({
    name: 'messages-group-mentions',
    text: `SELECT m.message_id AS id, m.mentioned_groups AS groups, m.content_position AS position,
        coalesce(m.edited_at, m.sent_at) AS at
      FROM ${READER} CROSS JOIN view.messages AS m
      WHERE m.realm_id = $1 AND m.message_id = ANY($6::int8[]) AND m.mentioned_groups IS NOT NULL
        AND (${RECEIVED_SQL}) AND NOT ${BY_NAME_OR_WILDCARD}`,
    values: [...readerValues(by), ids],
  });
  const groupsOf = ({ groups }: GroupMention) => groups.map(Number) as GroupId[];
  const wasIn = await readMembership({ client: pool, realmId: by.realmId }, rows.flatMap(groupsOf), [by.userId]);
  return new Map(rows.map((row) => [row.id, groupsOf(row).some((group) => wasIn(group, by.userId, row))]));
}
