import { isMutedSql, topicPolicyJoin } from '@annals/channels';
import { readMembership } from '@annals/groups';
import type { FeedReader } from '@annals/kernel';
import type { ChannelId, GroupId, Instant, MessageId, Position, UserId } from '@annals/kernel/domain';

/** Details of a message that became unread, for clients (contract/realtime.md section 6.1). */
export interface UnreadDetails {
  readonly id: MessageId;
  /** Null for a direct message. */
  readonly channelId: ChannelId | null;
  readonly topic: string | null;
  /** All users of the conversation of a direct message. */
  readonly userIds: readonly UserId[];
  readonly isMuted: boolean;
  /** By name, as a member of a group, or by a wildcard if the conversation is not muted. */
  readonly isMentioned: boolean;
}

interface Row extends Omit<UnreadDetails, 'userIds'> {
  readonly userId: UserId;
  readonly userIds: readonly (string | number)[] | null;
  readonly isMentionedByWildcard: boolean;
  readonly mentionedGroups: readonly (string | number)[] | null;
  readonly position: Position;
  readonly at: Instant;
}

/** Messages of a user, ascending. */
export interface OwnMessages {
  readonly userId: UserId;
  readonly ids: readonly MessageId[];
}

/**
 * Reads the details of messages for users as they are now. Messages that were deleted are left out, and those of channels to which
 * the user is not subscribed.
 *
 * @returns by user, ascending
 */
export async function readUnreadDetails(
  reader: FeedReader,
  asked: readonly OwnMessages[],
): Promise<ReadonlyMap<UserId, ReadonlyMap<MessageId, UnreadDetails>>> {
  const found = new Map<UserId, Map<MessageId, UnreadDetails>>();
  const pairs = asked.flatMap(({ userId, ids }) => ids.map((id) => ({ userId, id })));
  if (pairs.length === 0) return found;
  const { rows } = await reader.client.query<Row>({
    name: 'messages-unread-details',
    text: DETAILS,
    values: [reader.realmId, pairs.map(({ userId }) => userId), pairs.map(({ id }) => id)],
  });
  const groups = rows.flatMap(({ mentionedGroups }) => (mentionedGroups ?? []).map(Number)) as GroupId[];
  const wasIn = await readMembership(reader, groups, [...new Set(asked.map(({ userId }) => userId))]);
  for (const { userId, id, channelId, topic, userIds, isMuted, ...row } of rows) {
    const isInGroup = (row.mentionedGroups ?? []).some((group) => wasIn(Number(group) as GroupId, userId, row));
    const isMentioned = row.isMentioned || isInGroup || (row.isMentionedByWildcard && !isMuted);
    const ofUser = found.get(userId) ?? new Map<MessageId, UnreadDetails>();
    ofUser.set(id, { id, channelId, topic, userIds: (userIds ?? []).map(Number) as UserId[], isMuted, isMentioned });
    found.set(userId, ofUser);
  }
  return found;
}

const DETAILS = `SELECT r.user_id AS "userId", m.message_id AS id, p.channel_id AS "channelId", p.name AS topic,
    v.user_ids AS "userIds", m.conversation_id IS NULL AND ${isMutedSql('coalesce(o.is_muted, false)')} AS "isMuted",
    n.user_id IS NOT NULL AS "isMentioned", m.mentioned_groups AS "mentionedGroups", m.content_position AS position,
    coalesce(m.edited_at, m.sent_at) AS at,
    m.channel_wildcard OR coalesce(r.user_id = ANY(m.topic_participants), false) AS "isMentionedByWildcard"
  FROM unnest($2::int8[], $3::int8[]) AS r(user_id, message_id)
  JOIN view.messages AS m ON m.realm_id = $1 AND m.message_id = r.message_id
  LEFT JOIN view.topics AS p ON p.realm_id = $1 AND p.topic_id = m.topic_id
  LEFT JOIN view.memberships AS s ON s.realm_id = $1 AND s.user_id = r.user_id AND s.channel_id = p.channel_id
    AND s.to_position IS NULL
  LEFT JOIN view.conversations AS v ON v.realm_id = $1 AND v.conversation_id = m.conversation_id
  LEFT JOIN view.subscriptions AS o ON o.realm_id = $1 AND o.channel_id = p.channel_id AND o.user_id = r.user_id
  ${topicPolicyJoin('p')}
  LEFT JOIN view.mentions AS n ON n.realm_id = $1 AND n.message_id = m.message_id AND n.user_id = r.user_id
  WHERE m.conversation_id IS NOT NULL OR s.channel_id IS NOT NULL
  ORDER BY r.user_id, m.message_id`;
