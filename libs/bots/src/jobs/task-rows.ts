import type { Instant, Position, RealmId, UserId } from '@annals/kernel/domain';
import { isActiveSql, realmsWithDue } from '@annals/realm';
import type { ClientBase, Pool } from 'pg';
import type { PossibleQuery } from './possible-queries';
import { queriesSql, queryValues } from './possible-queries';

/** A message that a bot must answer, or a newcomer to whom the welcome bot must write. */
export type TaskKind = 'query' | 'welcome';

/** A task for a bot, caused by one event. */
export interface Task {
  readonly realmId: RealmId;
  /** Of the event. */
  readonly position: Position;
  /** The bot, or the newcomer. */
  readonly accountId: UserId;
  readonly kind: TaskKind;
  readonly attempts: number;
}

/**
 * Adds a task for each message of a person to an active embedded bot. A bot that answered bots could talk with another one
 * forever. Repeating it changes nothing.
 */
export async function addQueries(
  client: ClientBase,
  realmId: RealmId,
  queries: readonly PossibleQuery[],
): Promise<number> {
  if (queries.length === 0) return 0;
  const { rowCount } = await client.query({
    name: 'bots-add-queries',
    text: `INSERT INTO bot_tasks (realm_id, position, account_id, kind, at, attempts, due_at)
      SELECT $1, q.position, q.account_id, 'query', q.at, 0, 0
      FROM ${queriesSql('view.bot_programs')}
      ON CONFLICT DO NOTHING`,
    values: queryValues(realmId, queries),
  });
  return rowCount ?? 0;
}

/** Adds a task for each newcomer. Repeating it changes nothing. */
export async function addWelcomes(
  client: ClientBase,
  realmId: RealmId,
  newcomers: readonly Pick<PossibleQuery, 'position' | 'accountId' | 'at'>[],
): Promise<number> {
  if (newcomers.length === 0) return 0;
  const { rowCount } = await client.query({
    name: 'bots-add-welcomes',
    text: `INSERT INTO bot_tasks (realm_id, position, account_id, kind, at, attempts, due_at)
      SELECT $1, n.position, n.account_id, 'welcome', n.at, 0, 0
      FROM unnest($2::int8[], $3::int8[], $4::int8[]) AS n(position, account_id, at) ON CONFLICT DO NOTHING`,
    values: [
      realmId,
      newcomers.map(({ position }) => position),
      newcomers.map(({ accountId }) => accountId),
      newcomers.map(({ at }) => at),
    ],
  });
  return rowCount ?? 0;
}

/** Organizations with tasks that are due. */
export const DUE_REALMS = realmsWithDue('bot-tasks', 'bot_tasks', 't.due_at <= $1');

/** Due tasks in the order of their events. */
export async function readDue(pool: Pool, realmId: RealmId, now: Instant, limit: number): Promise<Task[]> {
  const { rows } = await pool.query<Task>({
    name: 'bots-due-tasks',
    text: `SELECT realm_id AS "realmId", position, account_id AS "accountId", kind, attempts FROM bot_tasks
      WHERE realm_id = $1 AND due_at <= $2 AND ${isActiveSql('$1')} ORDER BY position, account_id LIMIT $3`,
    values: [realmId, now, limit],
  });
  return rows;
}

const keyOf = ({ realmId, position, accountId }: Task) => [realmId, position, accountId] as const;
const IS_TASK_SQL = 'realm_id = $1 AND position = $2 AND account_id = $3';

/** Deletes a task that is done. */
export async function completeTask(pool: Pool, task: Task): Promise<void> {
  await pool.query({
    name: 'bots-complete-task',
    text: `DELETE FROM bot_tasks WHERE ${IS_TASK_SQL}`,
    values: [...keyOf(task)],
  });
}

/** Schedules another attempt. */
export async function postponeTask(pool: Pool, task: Task, to: Instant): Promise<void> {
  await pool.query({
    name: 'bots-postpone-task',
    text: `UPDATE bot_tasks SET attempts = $4, due_at = $5 WHERE ${IS_TASK_SQL}`,
    values: [...keyOf(task), task.attempts + 1, to],
  });
}

/** Time since which the oldest task waits. Null without tasks. */
export async function readOldestTask(pool: Pool): Promise<Instant | null> {
  const { rows } = await pool.query<{ at: Instant | null }>({
    name: 'bots-oldest-task',
    text: `SELECT min(t.at) AS at FROM bot_tasks AS t WHERE ${isActiveSql('t.realm_id')}`,
  });
  return rows[0]?.at ?? null;
}
