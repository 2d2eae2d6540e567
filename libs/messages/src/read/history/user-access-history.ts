import type { FeedReader } from '@annals/kernel';
import { overlapsSql, rowsOverlapSql } from '@annals/kernel';
import type { Position, Span, UserId } from '@annals/kernel/domain';
import { Role, ascending, contains, grouped } from '@annals/kernel/domain';
import { readRestrictedAt } from '@annals/realm';
import type { UserAccessHistory, UserAccessQuery } from '@annals/users';

/** An account in one role and state; a system bot has no spans. */
interface AccountSpan extends Span {
  readonly userId: UserId;
  readonly isBot: boolean;
  readonly role: Role;
  readonly isActive: boolean;
}

/**
 * Two users who share channels or conversations, with one span for all that overlap. A conversation outlives an
 * account.
 */
interface SharedSpan extends Span {
  readonly viewer: UserId;
  readonly person: UserId;
  readonly isConversation: boolean;
}

/** Reads, in three queries, which users could see which others at positions of a stretch of the log (contract/permissions.md section 7). */
export async function readUserAccessHistory(reader: FeedReader, asked: UserAccessQuery): Promise<UserAccessHistory> {
  const restrictedAt = await readRestrictedAt(reader.client, reader.realmId, asked.from, asked.to);
  const accounts = grouped(await readAccounts(reader, asked), ({ userId }) => userId);
  const shared = grouped(await readShared(reader, asked), ({ viewer, person }) => `${viewer} ${person}`);
  const accountAt = (userId: UserId, position: Position) =>
    accounts.get(userId)?.find((span) => contains(span, position));
  const isRestricted = (viewer: UserId, position: Position) =>
    accountAt(viewer, position)?.role === Role.guest && restrictedAt(position);
  return {
    people: ascending(accounts.keys()),
    canAccess(viewer, person, position) {
      if (viewer === person) return true;
      const account = accountAt(person, position);
      if (!account) return false;
      if (account.isBot || !isRestricted(viewer, position)) return true;
      return (shared.get(`${viewer} ${person}`) ?? []).some(
        (span) => contains(span, position) && (span.isConversation || account.isActive),
      );
    },
  };
}

/** System bots exist before the first position. */
async function readAccounts(
  { client, realmId }: FeedReader,
  { viewers, people, from, to }: UserAccessQuery,
): Promise<AccountSpan[]> {
  const { rows } = await client.query<AccountSpan>({
    name: `messages-user-access-accounts${people ? '-with' : ''}`,
    text: `SELECT u.user_id AS "userId", u.bot_type IS NOT NULL AS "isBot", coalesce(s.from_position, 0) AS from,
        s.to_position AS to, coalesce(s.role, u.role) AS role, coalesce(s.is_active, true) AS "isActive"
      FROM view.users AS u LEFT JOIN view.account_spans AS s ON s.realm_id = u.realm_id AND s.user_id = u.user_id
      WHERE u.realm_id = $1 AND ${people ? 'u.user_id = ANY($2::int8[])' : '$2::int8[] IS NULL'}
        AND (s.from_position IS NULL OR ${overlapsSql('s', '$3', '$4')})`,
    values: [realmId, people && [...viewers, ...people], from, to],
  });
  return rows;
}

/**
 * For people the plan begins at the smaller side, and does not read the channels of one side for each user of the
 * other.
 */
async function readShared(
  { client, realmId }: FeedReader,
  { viewers, people, from, to }: UserAccessQuery,
): Promise<SharedSpan[]> {
  const { rows } = await client.query<SharedSpan>({
    name: `messages-user-access-shared${people ? '-with' : ''}`,
    // Two users may share a thousand channels. They have one row here at most.
    text: `SELECT viewer, person, false AS "isConversation", lower(span) AS from, upper(span) AS to FROM (
      SELECT own.user_id AS viewer, m.user_id AS person, unnest(range_agg(int8range(
        greatest(own.from_position, m.from_position), least(own.to_position, m.to_position)))) AS span
      FROM view.memberships AS own
      JOIN view.memberships AS m ON m.realm_id = own.realm_id AND m.channel_id = own.channel_id
        AND m.user_id <> own.user_id AND ${people ? 'm.user_id = ANY($3::int8[])' : '$3::int8[] IS NULL'}
        AND ${overlapsSql('m', '$4', '$5')}
      WHERE own.realm_id = $1 AND own.user_id = ANY($2::int8[])
        AND ${overlapsSql('own', '$4', '$5')}
        AND ${rowsOverlapSql('own', 'm')}
      GROUP BY own.user_id, m.user_id) AS shared
      UNION ALL ${people ? MET_AMONG : MET}`,
    values: [realmId, viewers, people, from, to],
  });
  return rows;
}

const MET = `SELECT own.user_id, p.id, true, min(c.opened_position), NULL::int8 FROM view.conversation_members AS own
  JOIN view.conversations AS c ON c.realm_id = own.realm_id AND c.conversation_id = own.conversation_id
  CROSS JOIN LATERAL unnest(c.user_ids) AS p(id)
  WHERE own.realm_id = $1 AND own.user_id = ANY($2::int8[]) AND p.id <> own.user_id AND c.opened_position <= $5
  GROUP BY own.user_id, p.id`;

const MET_AMONG = `SELECT own.user_id, m.user_id, true, min(c.opened_position), NULL::int8 FROM view.conversation_members AS own
  JOIN view.conversation_members AS m ON m.realm_id = own.realm_id AND m.conversation_id = own.conversation_id
    AND m.user_id <> own.user_id AND m.user_id = ANY($3::int8[])
  JOIN view.conversations AS c ON c.realm_id = own.realm_id AND c.conversation_id = own.conversation_id
  WHERE own.realm_id = $1 AND own.user_id = ANY($2::int8[]) AND c.opened_position <= $5
  GROUP BY own.user_id, m.user_id`;
