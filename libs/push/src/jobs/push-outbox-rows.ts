import type { Instant, MessageId, Position, RealmId, UserId } from '@annals/kernel/domain';
import { isActiveSql, realmsWithDue } from '@annals/realm';
import type { ClientBase, Pool } from 'pg';
import { concernsSomebodySql } from '../read/recipients';

/** A removal is of notifications of deleted messages, `read` of those that users have read. */
export type PushTaskKind = 'registration' | 'message' | 'edit' | 'removal' | 'read';

/** A task for the push service, caused by one event. */
export interface PushTask {
  readonly realmId: RealmId;
  /** Of the event. */
  readonly position: Position;
  readonly kind: PushTaskKind;
  /** The message to notify of; null for other tasks. */
  readonly messageId: MessageId | null;
  /** Time of the event. */
  readonly at: Instant;
  /** Users up to this id are done. */
  readonly afterUser: UserId;
  readonly attempts: number;
}

/** A task that this process has leased. `recordPage` and `recordProgress` extend the lease. */
export interface LeasedTask extends PushTask {
  attempts: number;
  /** Expiry of the lease, which identifies it: another process can only lease the task later, with a later expiry. */
  until: Instant;
}

const COLUMNS = `e.realm_id AS "realmId", e.position, e.kind, e.message_id AS "messageId", e.at, e.after_user AS "afterUser", e.attempts`;
const IS_LEASED_SQL = 'realm_id = $1 AND position = $2 AND due_at = $3';
const leaseKey = ({ realmId, position, until }: LeasedTask) => [realmId, position, until] as const;

/** A new task of an event. */
export interface NewPushTask extends Pick<PushTask, 'position' | 'kind' | 'messageId' | 'at'> {
  /** A channel message without group or wildcard mentions: few users are notified. */
  readonly isOrdinary: boolean;
}

/** Adds tasks for events; for messages only where a user may be notified. Repeating it changes nothing. */
export async function addTasks(client: ClientBase, realmId: RealmId, notes: readonly NewPushTask[]): Promise<number> {
  const { rowCount } = await client.query({
    name: 'push-note-tasks',
    text: `INSERT INTO push_errands (realm_id, position, kind, message_id, at, after_user, attempts, due_at)
      SELECT $1, n.position, n.kind, n.message_id, n.at, 0, 0, 0
      FROM unnest($2::int8[], $3::text[], $4::int8[], $5::int8[], $6::bool[])
        AS n(position, kind, message_id, at, is_ordinary)
      WHERE n.message_id IS NULL OR (EXISTS (SELECT FROM view.push_devices AS d
          WHERE d.realm_id = $1 AND d.service_device_id IS NOT NULL)
        AND (NOT n.is_ordinary OR ${concernsSomebodySql('n.message_id')}))
      ON CONFLICT DO NOTHING`,
    values: [
      realmId,
      notes.map(({ position }) => position),
      notes.map(({ kind }) => kind),
      notes.map(({ messageId }) => messageId),
      notes.map(({ at }) => at),
      notes.map(({ isOrdinary }) => isOrdinary),
    ],
  });
  return rowCount ?? 0;
}

/** Organizations with tasks that are due. */
export const DUE_REALMS = realmsWithDue('push', 'push_errands', 't.given_up IS NULL AND t.due_at <= $1');

/** Leases due tasks until a time, the oldest first. */
export async function leaseTasks(
  pool: Pool,
  realmId: RealmId,
  now: Instant,
  until: Instant,
  limit: number,
): Promise<LeasedTask[]> {
  const { rows } = await pool.query<PushTask>({
    name: 'push-take-tasks',
    text: `UPDATE push_errands AS e SET due_at = $3 FROM (
        SELECT position FROM push_errands WHERE realm_id = $1 AND given_up IS NULL AND due_at <= $2
          AND ${isActiveSql('$1')}
        ORDER BY due_at, position LIMIT $4 FOR UPDATE SKIP LOCKED) AS taken
      WHERE e.realm_id = $1 AND e.position = taken.position RETURNING ${COLUMNS}`,
    values: [realmId, now, until, limit],
  });
  return rows.map((task) => ({ ...task, until }));
}

/**
 * Records that users of a page were notified, and extends the lease until `until`.
 *
 * @returns false when another process has leased the task meanwhile; the notified users are recorded anyway
 */
export async function recordPage(
  pool: Pool,
  task: LeasedTask,
  page: { readonly last: UserId; readonly notified: readonly UserId[]; readonly at: Instant; readonly until: Instant },
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'push-note-page',
    text: `WITH notified AS (INSERT INTO pushed_messages (realm_id, message_id, first_user, user_ids, at)
        SELECT $1, $8, u.id, ARRAY[u.id], $6::int8 FROM unnest($5::int8[]) AS u(id) ON CONFLICT DO NOTHING)
      UPDATE push_errands SET after_user = $4, attempts = 0, due_at = $7 WHERE ${IS_LEASED_SQL}`,
    values: [...leaseKey(task), page.last, page.notified, page.at, page.until, task.messageId],
  });
  return extendLease(task, page.until, rowCount);
}

/** Users up to this id are done. @returns false when another process has leased the task meanwhile */
export async function recordProgress(pool: Pool, task: LeasedTask, last: UserId, until: Instant): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'push-note-progress',
    text: `UPDATE push_errands SET after_user = $4, attempts = 0, due_at = $5 WHERE ${IS_LEASED_SQL}`,
    values: [...leaseKey(task), last, until],
  });
  return extendLease(task, until, rowCount);
}

function extendLease(task: LeasedTask, until: Instant, rowCount: number | null): boolean {
  Object.assign(task, { until, attempts: 0 });
  return rowCount === 1;
}

/**
 * Deletes a finished task. Like the functions below, it does nothing if another process has leased the task meanwhile.
 */
export async function completeTask(pool: Pool, task: LeasedTask): Promise<void> {
  await pool.query({
    name: 'push-end-task',
    text: `DELETE FROM push_errands WHERE ${IS_LEASED_SQL}`,
    values: [...leaseKey(task)],
  });
}

/** Schedules another attempt. */
export async function postpone(pool: Pool, task: LeasedTask, to: Instant): Promise<void> {
  await pool.query({
    name: 'push-postpone',
    text: `UPDATE push_errands SET attempts = $4, due_at = $5 WHERE ${IS_LEASED_SQL}`,
    values: [...leaseKey(task), task.attempts + 1, to],
  });
}

/** Moves a task to the dead letters, until an operator retries it. */
export async function moveToDeadLetters(pool: Pool, task: LeasedTask, reason: string): Promise<void> {
  await pool.query({
    name: 'push-give-up',
    text: `UPDATE push_errands SET given_up = $4 WHERE ${IS_LEASED_SQL}`,
    values: [...leaseKey(task), reason],
  });
}

/** Time since which the oldest task waits, null without tasks. */
export async function oldestTask(pool: Pool): Promise<Instant | null> {
  const { rows } = await pool.query<{ at: Instant | null }>({
    name: 'push-oldest-task',
    text: `SELECT min(e.at) AS at FROM push_errands AS e WHERE e.given_up IS NULL AND ${isActiveSql('e.realm_id')}`,
  });
  return rows[0]?.at ?? null;
}

/** A task that failed for good, with the reason. */
export interface DeadLetter extends Pick<PushTask, 'realmId' | 'position' | 'kind' | 'at'> {
  readonly reason: string;
}

/** The number of dead letters. */
export async function countDeadLetters(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>({
    name: 'push-count-given-up',
    text: 'SELECT count(*)::int4 AS count FROM push_errands WHERE given_up IS NOT NULL',
  });
  return rows[0]?.count ?? 0;
}

/** The latest dead letters, the newest first. */
export async function readDeadLetters(pool: Pool, limit: number): Promise<DeadLetter[]> {
  const { rows } = await pool.query<DeadLetter>(
    `SELECT f.* FROM realm_heads AS h CROSS JOIN LATERAL (
        SELECT e.realm_id AS "realmId", e.position, e.kind, e.at, e.given_up AS reason FROM push_errands AS e
        WHERE e.realm_id = h.realm_id AND e.given_up IS NOT NULL ORDER BY e.position DESC LIMIT $1) AS f
      ORDER BY f.at DESC LIMIT $1`,
    [limit],
  );
  return rows;
}

/** Makes all dead letters due again. @returns their number */
export async function retryDeadLetters(pool: Pool, now: Instant): Promise<number> {
  const { rowCount } = await pool.query(
    `UPDATE push_errands AS e SET given_up = NULL, attempts = 0, due_at = $1, at = greatest(e.at, $1)
      FROM realm_heads AS h WHERE e.realm_id = h.realm_id AND e.given_up IS NOT NULL`,
    [now],
  );
  return rowCount ?? 0;
}

/** Whether tasks of events before a position still concern these messages. */
export async function haveEarlierTasks(
  pool: Pool,
  { realmId, position }: Pick<PushTask, 'realmId' | 'position'>,
  ids: readonly MessageId[],
): Promise<boolean> {
  const { rows } = await pool.query({
    name: 'push-under-way',
    text: `SELECT FROM push_errands
      WHERE realm_id = $1 AND message_id = ANY($2::int8[]) AND position < $3 AND given_up IS NULL LIMIT 1`,
    values: [realmId, ids, position],
  });
  return rows.length > 0;
}

/** Deletes old records of notifications, and old dead letters. */
export async function deleteOld(pool: Pool, realmId: RealmId, before: Instant): Promise<void> {
  await pool.query('DELETE FROM pushed_messages WHERE realm_id = $1 AND at < $2', [realmId, before]);
  await pool.query('DELETE FROM push_errands WHERE realm_id = $1 AND given_up IS NOT NULL AND at < $2', [
    realmId,
    before,
  ]);
}
