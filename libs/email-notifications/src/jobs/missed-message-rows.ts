import type { DueSearch } from '@annals/kernel';
import type { Instant, MessageId, RealmId, UserId } from '@annals/kernel/domain';
import { isActiveSql } from '@annals/realm';
import type { ClientBase, Pool } from 'pg';

/** A message that a user may get a mail about. */
export interface MissedMessage {
  readonly userId: UserId;
  readonly messageId: MessageId;
}

/** Messages of one user in one conversation, ascending. */
export interface MissedConversation {
  readonly userId: UserId;
  readonly messageIds: readonly MessageId[];
}

/** Organizations with tasks or mails that are due. */
export const DUE_REALMS: DueSearch = {
  name: 'missed-messages',
  sql: `SELECT h.realm_id AS id FROM realm_heads AS h WHERE ${isActiveSql('h.realm_id')} AND (
    EXISTS (SELECT FROM email_tasks AS e WHERE e.realm_id = h.realm_id AND e.due_at <= $1)
    OR EXISTS (SELECT FROM missed_messages AS m WHERE m.realm_id = h.realm_id AND m.batch IS NULL AND m.due_at <= $1))`,
};

/** Some users whose mails are due, those that are due longest first. */
export async function readDueUsers(pool: Pool, realmId: RealmId, now: Instant, limit: number): Promise<UserId[]> {
  const { rows } = await pool.query<{ userId: UserId }>({
    name: 'email-due-users',
    text: `SELECT d.user_id AS "userId" FROM (SELECT user_id, due_at FROM missed_messages
        WHERE realm_id = $1 AND batch IS NULL AND due_at <= $2 ORDER BY due_at LIMIT $3) AS d
      GROUP BY d.user_id ORDER BY min(d.due_at), d.user_id`,
    values: [realmId, now, limit],
  });
  return rows.map(({ userId }) => userId);
}

/** All messages for which these users have no mail yet, also those that are due later, by user and message. */
export async function readWaiting(pool: Pool, realmId: RealmId, userIds: readonly UserId[]): Promise<MissedMessage[]> {
  const { rows } = await pool.query<MissedMessage>({
    name: 'email-waiting',
    text: `SELECT user_id AS "userId", message_id AS "messageId" FROM missed_messages
      WHERE realm_id = $1 AND user_id = ANY($2::int8[]) AND batch IS NULL ORDER BY user_id, message_id`,
    values: [realmId, userIds],
  });
  return rows;
}

/** The users who have been recorded for a message, whether or not they have a mail about it. */
export async function missedAmong(
  pool: Pool,
  realmId: RealmId,
  messageId: MessageId,
  userIds: readonly UserId[],
): Promise<ReadonlySet<UserId>> {
  const { rows } = await pool.query<{ userId: UserId }>({
    name: 'email-missed-among',
    text: `SELECT user_id AS "userId" FROM missed_messages
      WHERE realm_id = $1 AND message_id = $2 AND user_id = ANY($3::int8[])`,
    values: [realmId, messageId, userIds],
  });
  return new Set(rows.map(({ userId }) => userId));
}

/** Makes all waiting messages of users due at a later time. */
export async function postponeMissed(
  pool: Pool,
  realmId: RealmId,
  users: readonly (readonly [UserId, Instant])[],
): Promise<void> {
  if (users.length === 0) return;
  await pool.query({
    name: 'email-postpone-missed',
    text: `UPDATE missed_messages AS m SET due_at = greatest(m.due_at, n.due_at)
      FROM unnest($2::int8[], $3::int8[]) AS n(user_id, due_at)
      WHERE m.realm_id = $1 AND m.user_id = n.user_id AND m.batch IS NULL`,
    values: [realmId, users.map(([userId]) => userId), users.map(([, dueAt]) => dueAt)],
  });
}

/** Forgets messages about which no mail is sent. */
export async function dropMissed(pool: Pool, realmId: RealmId, missed: readonly MissedMessage[]): Promise<void> {
  if (missed.length === 0) return;
  await pool.query({
    name: 'email-drop-missed',
    text: `DELETE FROM missed_messages AS m USING unnest($2::int8[], $3::int8[]) AS n(user_id, message_id)
      WHERE m.realm_id = $1 AND m.user_id = n.user_id AND m.message_id = n.message_id AND m.batch IS NULL`,
    values: [realmId, ...columnsOf(missed)],
  });
}

/**
 * Puts those messages of some conversations that are in no mail yet into one mail for each conversation. Another worker that does the
 * same waits here, and finds none left.
 *
 * @returns the keys of the mails. A conversation whose messages are all in mails has none
 */
export async function batchMissed(
  client: ClientBase,
  realmId: RealmId,
  conversations: readonly MissedConversation[],
): Promise<string[]> {
  const all = conversations.flatMap(({ userId, messageIds }) => messageIds.map((messageId) => ({ userId, messageId })));
  const { rows } = await client.query<MissedMessage>({
    name: 'email-lock-missed',
    text: `SELECT m.user_id AS "userId", m.message_id AS "messageId" FROM missed_messages AS m
      JOIN unnest($2::int8[], $3::int8[]) AS n(user_id, message_id) USING (user_id, message_id)
      WHERE m.realm_id = $1 AND m.batch IS NULL ORDER BY m.user_id, m.message_id FOR UPDATE OF m`,
    values: [realmId, ...columnsOf(all)],
  });
  const left = new Set(rows.map(rowKey));
  const batched = conversations.flatMap(({ userId, messageIds }) => {
    const own = messageIds.filter((messageId) => left.has(rowKey({ userId, messageId })));
    return own.map((messageId) => ({ userId, messageId, key: `${userId}-${own[0]}` }));
  });
  if (batched.length === 0) return [];
  await client.query({
    name: 'email-batch-missed',
    text: `UPDATE missed_messages AS m SET batch = n.batch
      FROM unnest($2::int8[], $3::int8[], $4::text[]) AS n(user_id, message_id, batch)
      WHERE m.realm_id = $1 AND m.user_id = n.user_id AND m.message_id = n.message_id`,
    values: [realmId, ...columnsOf(batched), batched.map(({ key }) => key)],
  });
  return [...new Set(batched.map(({ key }) => key))];
}

const rowKey = ({ userId, messageId }: MissedMessage): string => `${userId}:${messageId}`;

const columnsOf = (missed: readonly MissedMessage[]) =>
  [missed.map(({ userId }) => userId), missed.map(({ messageId }) => messageId)] as const;

/** The messages of a mail, ascending. */
export async function readBatch(pool: Pool, realmId: RealmId, key: string): Promise<MissedMessage[]> {
  const { rows } = await pool.query<MissedMessage>({
    name: 'email-batch',
    text: `SELECT user_id AS "userId", message_id AS "messageId" FROM missed_messages
      WHERE realm_id = $1 AND batch = $2 ORDER BY message_id`,
    values: [realmId, key],
  });
  return rows;
}

/** Deletes the rows of messages of before a time that are in a mail. */
export async function deleteOldMissed(pool: Pool, realmId: RealmId, before: Instant): Promise<void> {
  await pool.query({
    name: 'email-delete-old',
    text: 'DELETE FROM missed_messages WHERE realm_id = $1 AND at < $2 AND batch IS NOT NULL',
    values: [realmId, before],
  });
}
