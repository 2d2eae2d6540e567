import type { Instant, MessageId, Position, RealmId, UserId } from '@annals/kernel/domain';
import { concernsOthersSql } from '@annals/push';
import { isActiveSql } from '@annals/realm';
import type { ClientBase, Pool } from 'pg';
import { EMAIL_RECIPIENTS } from '../read/email-recipients';

/** A task to find the users who may get a mail because of one event. */
export interface EmailTask {
  readonly realmId: RealmId;
  /** Of the event. */
  readonly position: Position;
  readonly messageId: MessageId;
  readonly isEdit: boolean;
  /** Time of the event. */
  readonly at: Instant;
  /** Users up to this id are done. */
  readonly afterUser: UserId;
  readonly attempts: number;
}

/** A task that this process has leased. */
export interface LeasedEmailTask extends EmailTask {
  /** Expiry of the lease, which identifies it: another process can only lease the task later, with a later expiry. */
  until: Instant;
}

/** A new task of an event. */
export interface NewEmailTask extends Pick<EmailTask, 'position' | 'messageId' | 'isEdit' | 'at'> {
  /** Without group and wildcard mentions, so few users may get a mail. */
  readonly isOrdinary: boolean;
}

/** Adds tasks for the events that may concern somebody. Repeating it changes nothing. */
export async function addEmailTasks(
  client: ClientBase,
  realmId: RealmId,
  tasks: readonly NewEmailTask[],
): Promise<number> {
  if (tasks.length === 0) return 0;
  const { rowCount } = await client.query({
    name: 'email-add-tasks',
    text: `INSERT INTO email_tasks (realm_id, position, message_id, is_edit, at, after_user, attempts, due_at)
      SELECT $1, n.position, n.message_id, n.is_edit, n.at, 0, 0, 0
      FROM unnest($2::int8[], $3::int8[], $4::bool[], $5::int8[], $6::bool[])
        AS n(position, message_id, is_edit, at, is_ordinary)
      WHERE NOT n.is_ordinary OR ${concernsOthersSql('n.message_id', EMAIL_RECIPIENTS)}
      ON CONFLICT DO NOTHING`,
    values: [
      realmId,
      tasks.map(({ position }) => position),
      tasks.map(({ messageId }) => messageId),
      tasks.map(({ isEdit }) => isEdit),
      tasks.map(({ at }) => at),
      tasks.map(({ isOrdinary }) => isOrdinary),
    ],
  });
  return rowCount ?? 0;
}

/** Leases due tasks until a time, the oldest first. */
export async function leaseEmailTasks(
  pool: Pool,
  realmId: RealmId,
  now: Instant,
  until: Instant,
  limit: number,
): Promise<LeasedEmailTask[]> {
  const { rows } = await pool.query<EmailTask>({
    name: 'email-lease-tasks',
    text: `UPDATE email_tasks AS e SET due_at = $3 FROM (
        SELECT position FROM email_tasks WHERE realm_id = $1 AND due_at <= $2
        ORDER BY due_at, position LIMIT $4 FOR UPDATE SKIP LOCKED) AS taken
      WHERE e.realm_id = $1 AND e.position = taken.position
      RETURNING e.realm_id AS "realmId", e.position, e.message_id AS "messageId", e.is_edit AS "isEdit", e.at,
        e.after_user AS "afterUser", e.attempts`,
    values: [realmId, now, until, limit],
  });
  return rows.map((task) => ({ ...task, until }));
}

const IS_LEASED_SQL = 'realm_id = $1 AND position = $2 AND due_at = $3';
const leaseKey = ({ realmId, position, until }: LeasedEmailTask) => [realmId, position, until] as const;

/** Users of a page who may get a mail about a message, each with the time at which it is due. */
export interface MissedPage {
  /** The last user of the page. */
  readonly last: UserId;
  readonly missed: readonly { readonly userId: UserId; readonly dueAt: Instant }[];
  readonly until: Instant;
}

/**
 * Records users who may get a mail, and extends the lease until `until`.
 *
 * @returns false when another process has leased the task meanwhile; the users are recorded anyway
 */
export async function recordMissed(pool: Pool, task: LeasedEmailTask, page: MissedPage): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'email-record-missed',
    text: `WITH missed AS (INSERT INTO missed_messages (realm_id, user_id, message_id, at, due_at)
        SELECT $1, n.user_id, $5, $6, n.due_at FROM unnest($7::int8[], $8::int8[]) AS n(user_id, due_at)
        ON CONFLICT DO NOTHING)
      UPDATE email_tasks SET after_user = $4, attempts = 0, due_at = $9 WHERE ${IS_LEASED_SQL}`,
    values: [
      ...leaseKey(task),
      page.last,
      task.messageId,
      task.at,
      page.missed.map(({ userId }) => userId),
      page.missed.map(({ dueAt }) => dueAt),
      page.until,
    ],
  });
  Object.assign(task, { until: page.until, attempts: 0 });
  return rowCount === 1;
}

/** Deletes a finished task, unless another process has leased it meanwhile. */
export async function completeEmailTask(pool: Pool, task: LeasedEmailTask): Promise<void> {
  await pool.query({
    name: 'email-complete-task',
    text: `DELETE FROM email_tasks WHERE ${IS_LEASED_SQL}`,
    values: [...leaseKey(task)],
  });
}

/** Schedules another attempt. */
export async function postponeEmailTask(pool: Pool, task: LeasedEmailTask, to: Instant): Promise<void> {
  await pool.query({
    name: 'email-postpone-task',
    text: `UPDATE email_tasks SET attempts = $4, due_at = $5 WHERE ${IS_LEASED_SQL}`,
    values: [...leaseKey(task), task.attempts + 1, to],
  });
}

/** Whether a task of an earlier event is still about the same message. */
export async function hasEarlierTask(pool: Pool, { realmId, position, messageId }: EmailTask): Promise<boolean> {
  const { rows } = await pool.query({
    name: 'email-earlier-task',
    text: 'SELECT FROM email_tasks WHERE realm_id = $1 AND message_id = $2 AND position < $3 LIMIT 1',
    values: [realmId, messageId, position],
  });
  return rows.length > 0;
}

/** The time since which the oldest task or mail of an active organization waits. Null without any. */
export async function oldestEmailTask(pool: Pool, now: Instant): Promise<Instant | null> {
  const { rows } = await pool.query<{ at: Instant | null }>({
    name: 'email-oldest-task',
    text: `SELECT least((SELECT min(t.at) FROM email_tasks AS t WHERE ${isActiveSql('t.realm_id')}),
      (SELECT min(m.due_at) FROM missed_messages AS m
        WHERE m.batch IS NULL AND m.due_at <= $1 AND ${isActiveSql('m.realm_id')})) AS at`,
    values: [now],
  });
  return rows[0]?.at ?? null;
}
