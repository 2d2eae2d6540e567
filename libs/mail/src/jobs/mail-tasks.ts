import type { Instant, Position, RealmId, UserId } from '@annals/kernel/domain';
import { isActiveSql, realmsWithDue } from '@annals/realm';
import type { ClientBase, Pool } from 'pg';

/** A mail to send. `kind` and `key` are unique in an organization: there is one such mail. The key has ids only. */
export interface NewMailTask {
  readonly kind: string;
  readonly key: string;
  /** Left out: now. */
  readonly dueAt?: Instant;
  /** Of the event that causes it. Left out: of none. */
  readonly position?: Position;
}

/** A mail that is due. */
export interface MailTask {
  readonly realmId: RealmId;
  readonly kind: string;
  readonly key: string;
  /** When it was due first. */
  readonly at: Instant;
  readonly attempts: number;
  readonly bounceToken: string;
  /** Expiry of the lease, which identifies it: another process can only lease the task later, with a later expiry. */
  readonly until: Instant;
}

const IS_LEASED_SQL = 'realm_id = $1 AND kind = $2 AND key = $3 AND due_at = $4 AND done_at IS NULL AND parked IS NULL';
const leaseKey = ({ realmId, kind, key, until }: MailTask) => [realmId, kind, key, until] as const;

/**
 * Adds tasks. Those that exist are left as they are.
 *
 * @param now when tasks are due that do not say so
 * @returns the number of new ones
 */
export async function addMailTasks(
  client: ClientBase | Pool,
  realmId: RealmId,
  tasks: readonly NewMailTask[],
  now: Instant,
): Promise<number> {
  if (tasks.length === 0) return 0;
  const { rowCount } = await client.query({
    name: 'mail-add-tasks',
    text: `INSERT INTO mail_tasks (realm_id, kind, key, position, at, due_at)
      SELECT $1, n.kind, n.key, n.position, n.due_at, n.due_at
      FROM unnest($2::text[], $3::text[], $4::int8[], $5::int8[]) AS n(kind, key, position, due_at)
      ON CONFLICT (realm_id, kind, key) DO NOTHING`,
    values: [
      realmId,
      tasks.map(({ kind }) => kind),
      tasks.map(({ key }) => key),
      tasks.map(({ position = null }) => position),
      tasks.map(({ dueAt = now }) => dueAt),
    ],
  });
  return rowCount ?? 0;
}

/** Active organizations with mails that are due. */
export const REALMS_WITH_DUE_MAIL = realmsWithDue(
  'mail',
  'mail_tasks',
  't.done_at IS NULL AND t.parked IS NULL AND t.due_at <= $1',
);

/** Leases the mail that has been due for longest. None of a deactivated organization. */
export async function leaseMailTask(
  pool: Pool,
  realmId: RealmId,
  now: Instant,
  until: Instant,
): Promise<MailTask | undefined> {
  const { rows } = await pool.query<Omit<MailTask, 'until'>>({
    name: 'mail-lease-task',
    text: `UPDATE mail_tasks AS t SET due_at = $3 FROM (
        SELECT kind, key FROM mail_tasks WHERE realm_id = $1 AND done_at IS NULL AND parked IS NULL AND due_at <= $2
          AND ${isActiveSql('$1')}
        ORDER BY due_at, kind, key LIMIT 1 FOR UPDATE SKIP LOCKED) AS taken
      WHERE t.realm_id = $1 AND t.kind = taken.kind AND t.key = taken.key
      RETURNING t.realm_id AS "realmId", t.kind, t.key, t.at, t.attempts, t.bounce_token AS "bounceToken"`,
    values: [realmId, now, until],
  });
  return rows[0] && { ...rows[0], until };
}

/**
 * The mail was sent, or nobody wants it. Like the functions below, it does nothing if another process has leased the task
 * meanwhile.
 *
 * @param userId the account that got it
 */
export async function completeMailTask(pool: Pool, task: MailTask, now: Instant, userId: UserId | null): Promise<void> {
  await pool.query({
    name: 'mail-complete-task',
    text: `UPDATE mail_tasks SET done_at = $5, user_id = $6 WHERE ${IS_LEASED_SQL}`,
    values: [...leaseKey(task), now, userId],
  });
}

/** Schedules another attempt. @param attempts that have failed */
export async function postponeMailTask(pool: Pool, task: MailTask, to: Instant, attempts: number): Promise<void> {
  await pool.query({
    name: 'mail-postpone-task',
    text: `UPDATE mail_tasks SET due_at = $5, attempts = $6 WHERE ${IS_LEASED_SQL}`,
    values: [...leaseKey(task), to, attempts],
  });
}

/** Sets a task aside, until an operator retries or discards it. */
export async function parkMailTask(pool: Pool, task: MailTask, reason: string): Promise<void> {
  await pool.query({
    name: 'mail-park-task',
    text: `UPDATE mail_tasks SET parked = $5, attempts = attempts + 1 WHERE ${IS_LEASED_SQL}`,
    values: [...leaseKey(task), reason],
  });
}

/** Since when the oldest mail waits that is due. Null without one. */
export async function oldestDueMail(pool: Pool, now: Instant): Promise<Instant | null> {
  const { rows } = await pool.query<{ at: Instant | null }>({
    name: 'mail-oldest-task',
    text: `SELECT min(t.at) AS at FROM mail_tasks AS t
      WHERE t.done_at IS NULL AND t.parked IS NULL AND t.at <= $1 AND ${isActiveSql('t.realm_id')}`,
    values: [now],
  });
  return rows[0]?.at ?? null;
}

/** Deletes tasks that ended, and those that were set aside, of before this time. */
export async function deleteOldMailTasks(pool: Pool, realmId: RealmId, before: Instant): Promise<void> {
  await pool.query('DELETE FROM mail_tasks WHERE realm_id = $1 AND at < $2 AND (done_at < $2 OR parked IS NOT NULL)', [
    realmId,
    before,
  ]);
}
