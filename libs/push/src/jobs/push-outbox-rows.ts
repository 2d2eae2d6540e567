import type { Instant, MessageId, Position, RealmId, UserId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import { concernsSomebodySql } from '../read/recipients';

export type PushTaskKind = 'registration' | 'message' | 'edit' | 'removal';

/** Something to be asked of the push service because of one event. */
export interface PushTask {
  readonly realmId: RealmId;
  /** Of the event. */
  readonly position: Position;
  readonly kind: PushTaskKind;
  /** The message that is to be told; null where none is. */
  readonly messageId: MessageId | null;
  /** When that happened. */
  readonly at: Instant;
  /** People up to this one are done. */
  readonly afterUser: UserId;
  readonly attempts: number;
}

/** An task in the hands of who took it, as long as nobody else takes it; `notePage` and `noteProgress` move it on. */
export interface LeasedTask extends PushTask {
  attempts: number;
  /** Says whose it is: nobody can take it before, and whoever does gives it a later one. */
  until: Instant;
}

const COLUMNS = `e.realm_id AS "realmId", e.position, e.kind, e.message_id AS "messageId", e.at, e.after_user AS "afterUser", e.attempts`;
const IS_LEASED_SQL = 'realm_id = $1 AND position = $2 AND due_at = $3';
const leaseKey = ({ realmId, position, until }: LeasedTask) => [realmId, position, until] as const;

/** What is noted of an event. */
export interface NewPushTask extends Pick<PushTask, 'position' | 'kind' | 'messageId' | 'at'> {
  /** A message to a channel that calls nobody or a few by name: hardly anybody has to be told of it. */
  readonly isOrdinary: boolean;
}

/** Notes tasks for events, of messages where there may be somebody to tell; repeating it changes nothing. */
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

/** Which of these messages may be on devices, or on their way to them. */
export async function pushedAmong(
  client: ClientBase,
  realmId: RealmId,
  ids: readonly MessageId[],
): Promise<ReadonlySet<MessageId>> {
  if (ids.length === 0) return new Set();
  const { rows } = await client.query<{ id: MessageId }>({
    name: 'push-pushed-among',
    text: `SELECT id FROM unnest($2::int8[]) AS m(id)
      WHERE EXISTS (SELECT FROM pushed_messages AS p WHERE p.realm_id = $1 AND p.message_id = m.id)
        OR EXISTS (SELECT FROM push_errands AS e WHERE e.realm_id = $1 AND e.message_id = m.id AND e.given_up IS NULL)`,
    values: [realmId, ids],
  });
  return new Set(rows.map(({ id }) => id));
}

/** Organizations with tasks that are due. */
export async function dueRealms(pool: Pool, now: Instant): Promise<RealmId[]> {
  const { rows } = await pool.query<{ id: RealmId }>({
    name: 'push-due-realms',
    text: `SELECT h.realm_id AS id FROM realm_heads AS h WHERE EXISTS (SELECT FROM push_errands AS e
      WHERE e.realm_id = h.realm_id AND e.given_up IS NULL AND e.due_at <= $1) ORDER BY 1`,
    values: [now],
  });
  return rows.map(({ id }) => id);
}

/** Takes tasks that are due, the oldest first: until that time nobody else does. */
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
        ORDER BY due_at, position LIMIT $4 FOR UPDATE SKIP LOCKED) AS taken
      WHERE e.realm_id = $1 AND e.position = taken.position RETURNING ${COLUMNS}`,
    values: [realmId, now, until, limit],
  });
  return rows.map((task) => ({ ...task, until }));
}

/**
 * The people of a page have been told of the task's message, those of `told`. It goes on after them, until that time.
 *
 * @returns false when somebody else has taken the task meanwhile; who was told is noted all the same
 */
export async function recordPage(
  pool: Pool,
  task: LeasedTask,
  page: { readonly last: UserId; readonly told: readonly UserId[]; readonly at: Instant; readonly until: Instant },
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'push-note-page',
    text: `WITH told AS (INSERT INTO pushed_messages (realm_id, message_id, first_user, user_ids, at)
        SELECT $1, $8, ($5::int8[])[1], $5, $6::int8 WHERE cardinality($5::int8[]) > 0
        ON CONFLICT (realm_id, message_id, first_user) DO UPDATE SET user_ids = excluded.user_ids)
      UPDATE push_errands SET after_user = $4, attempts = 0, due_at = $7 WHERE ${IS_LEASED_SQL}`,
    values: [...leaseKey(task), page.last, page.told, page.at, page.until, task.messageId],
  });
  return extendLease(task, page.until, rowCount);
}

/** People up to this one are done. @returns false when somebody else has taken the task meanwhile */
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

/** Nothing is left to do; nothing happens where somebody else has taken the task meanwhile, as with all that follows. */
export async function completeTask(pool: Pool, task: LeasedTask): Promise<void> {
  await pool.query({
    name: 'push-end-task',
    text: `DELETE FROM push_errands WHERE ${IS_LEASED_SQL}`,
    values: [...leaseKey(task)],
  });
}

/** Another attempt has to be made at that time. */
export async function postpone(pool: Pool, task: LeasedTask, to: Instant): Promise<void> {
  await pool.query({
    name: 'push-postpone',
    text: `UPDATE push_errands SET attempts = $4, due_at = $5 WHERE ${IS_LEASED_SQL}`,
    values: [...leaseKey(task), task.attempts + 1, to],
  });
}

/** Nobody works on it any more, until an operator says so. */
export async function moveToDeadLetters(pool: Pool, task: LeasedTask, reason: string): Promise<void> {
  await pool.query({
    name: 'push-give-up',
    text: `UPDATE push_errands SET given_up = $4 WHERE ${IS_LEASED_SQL}`,
    values: [...leaseKey(task), reason],
  });
}

/** Since when the oldest task waits; null when none does. */
export async function oldestTask(pool: Pool): Promise<Instant | null> {
  const { rows } = await pool.query<{ at: Instant | null }>({
    name: 'push-oldest-task',
    text: 'SELECT min(at) AS at FROM push_errands WHERE given_up IS NULL',
  });
  return rows[0]?.at ?? null;
}

/** An task that nobody works on any more, and why. */
export interface DeadLetter extends Pick<PushTask, 'realmId' | 'position' | 'kind' | 'at'> {
  readonly reason: string;
}

/** How many those are. */
export async function countDeadLetters(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>({
    name: 'push-count-given-up',
    text: 'SELECT count(*)::int4 AS count FROM push_errands WHERE given_up IS NOT NULL',
  });
  return rows[0]?.count ?? 0;
}

/** What was given up last, the newest first. */
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

/** Lets what was given up be tried again. @returns how much that is */
export async function retryDeadLetters(pool: Pool, now: Instant): Promise<number> {
  const { rowCount } = await pool.query(
    `UPDATE push_errands AS e SET given_up = NULL, attempts = 0, due_at = $1, at = greatest(e.at, $1)
      FROM realm_heads AS h WHERE e.realm_id = h.realm_id AND e.given_up IS NOT NULL`,
    [now],
  );
  return rowCount ?? 0;
}

/** Whether messages are still on their way to devices because of what happened before a position. */
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

/** Whose devices show which of these messages, a page of people after one of them, ascending. */
export async function readNotified(
  pool: Pool,
  realmId: RealmId,
  ids: readonly MessageId[],
  after: UserId,
  limit: number,
): Promise<{ readonly userId: UserId; readonly messageIds: readonly MessageId[] }[]> {
  const { rows } = await pool.query<{ userId: UserId; messageIds: (string | number)[] }>({
    name: 'push-told',
    text: `SELECT u.id AS "userId", array_agg(p.message_id ORDER BY p.message_id) AS "messageIds"
      FROM pushed_messages AS p CROSS JOIN unnest(p.user_ids) AS u(id)
      WHERE p.realm_id = $1 AND p.message_id = ANY($2::int8[]) AND u.id > $3 GROUP BY u.id ORDER BY u.id LIMIT $4`,
    values: [realmId, ids, after, limit],
  });
  return rows.map(({ userId, messageIds }) => ({
    userId,
    messageIds: messageIds.map((id) => Number(id) as MessageId),
  }));
}

/** Those of some people who were told of a message. */
export async function notifiedAmong(
  pool: Pool,
  realmId: RealmId,
  id: MessageId,
  people: readonly UserId[],
): Promise<ReadonlySet<UserId>> {
  const { rows } = await pool.query<{ id: UserId }>({
    name: 'push-told-among',
    text: `SELECT DISTINCT u.id FROM pushed_messages AS p CROSS JOIN unnest(p.user_ids) AS u(id)
      WHERE p.realm_id = $1 AND p.message_id = $2 AND u.id = ANY($3::int8[])`,
    values: [realmId, id, people],
  });
  return new Set(rows.map((row) => row.id));
}

export async function deleteNotified(pool: Pool, realmId: RealmId, ids: readonly MessageId[]): Promise<void> {
  await pool.query({
    name: 'push-forget-told',
    text: 'DELETE FROM pushed_messages WHERE realm_id = $1 AND message_id = ANY($2::int8[])',
    values: [realmId, ids],
  });
}

/** Notifications so old are on no screen any more, and tasks given up so long ago of no interest. */
export async function deleteOld(pool: Pool, realmId: RealmId, before: Instant): Promise<void> {
  await pool.query('DELETE FROM pushed_messages WHERE realm_id = $1 AND at < $2', [realmId, before]);
  await pool.query('DELETE FROM push_errands WHERE realm_id = $1 AND given_up IS NOT NULL AND at < $2', [
    realmId,
    before,
  ]);
}
