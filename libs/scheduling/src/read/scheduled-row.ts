import type { Instant, MessageId, Position, RealmId, UserId } from '@annals/kernel/domain';
import { isActiveSql, realmsWithDue } from '@annals/realm';
import type { ClientBase, Pool } from 'pg';
import type { ScheduledId, Target, ScheduledText } from '../domain/events';

/** A message or a reminder that waits or has failed. */
export interface ScheduledRow {
  readonly id: ScheduledId;
  readonly isReminder: boolean;
  readonly userId: UserId;
  readonly client: string;
  readonly dueAt: Instant;
  readonly failed: boolean;
  /** The position of the event that contains its texts. */
  readonly wordsAt: Position;
}

const COLUMNS = `scheduled_id AS id, is_reminder AS "isReminder", user_id AS "userId", client, due_at AS "dueAt",
  has_failed AS failed, words_at AS "wordsAt"`;

/** Those of one account, of one kind, in the order of their times. */
export async function readScheduled(
  client: Pool | ClientBase,
  realmId: RealmId,
  userId: UserId,
  isReminder: boolean,
): Promise<ScheduledRow[]> {
  const { rows } = await client.query<ScheduledRow>({
    name: 'scheduling-own',
    text: `SELECT ${COLUMNS} FROM view.scheduled
      WHERE realm_id = $1 AND user_id = $2 AND is_reminder = $3 ORDER BY due_at, scheduled_id`,
    values: [realmId, userId, isReminder],
  });
  return rows;
}

/** Number of waiting or failed messages and reminders of an account. */
export async function countScheduled(pool: Pool, realmId: RealmId, userId: UserId): Promise<number> {
  const { rows } = await pool.query<{ count: number }>({
    name: 'scheduling-count',
    text: 'SELECT count(*) FROM view.scheduled WHERE realm_id = $1 AND user_id = $2',
    values: [realmId, userId],
  });
  return rows[0]?.count ?? 0;
}

/** Organizations in which something is due. */
export const DUE_REALMS = realmsWithDue('scheduled', 'view.scheduled', 'NOT t.has_failed AND t.due_at <= $1');

/** The due rows of an organization, in the order of their times. Those of `except` are left out. */
export async function readDue(
  pool: Pool,
  realmId: RealmId,
  now: Instant,
  limit: number,
  except: readonly ScheduledId[],
): Promise<ScheduledRow[]> {
  const { rows } = await pool.query<ScheduledRow>({
    name: 'scheduling-due',
    text: `SELECT ${COLUMNS} FROM view.scheduled
      WHERE realm_id = $1 AND NOT has_failed AND due_at <= $2 AND scheduled_id <> ALL($4::int8[]) AND ${isActiveSql('$1')}
      ORDER BY due_at, scheduled_id LIMIT $3`,
    values: [realmId, now, limit, except],
  });
  return rows;
}

/** Time since which the oldest due row waits, for metrics. */
export async function readOldestDue(pool: Pool, isReminder: boolean, now: Instant): Promise<Instant | null> {
  const { rows } = await pool.query<{ at: Instant | null }>({
    name: 'scheduling-oldest-due',
    text: `SELECT min(s.due_at) AS at FROM realm_heads AS h CROSS JOIN LATERAL (
        SELECT due_at FROM view.scheduled
        WHERE realm_id = h.realm_id AND NOT has_failed AND due_at <= $2 AND is_reminder = $1
        ORDER BY due_at LIMIT 1) AS s WHERE ${isActiveSql('h.realm_id')}`,
    values: [isReminder, now],
  });
  return rows[0]?.at ?? null;
}

/** A scheduled message or reminder, from the event with its text. */
export interface Planned {
  readonly position: Position;
  /** The destination of a message. Null for a reminder. */
  readonly target: Target | null;
  /** The message of a reminder. */
  readonly messageId: MessageId | null;
  readonly userId: UserId;
  readonly dueAt: Instant;
  /** Null once they were erased. */
  readonly words: ScheduledText | null;
}

/** The content of the events at these positions. */
export async function readPlanned(
  client: Pool | ClientBase,
  realmId: RealmId,
  positions: readonly Position[],
): Promise<ReadonlyMap<Position, Planned>> {
  if (positions.length === 0) return new Map();
  const { rows } = await client.query<{ position: Position; data: string; words: string | null }>({
    name: 'scheduling-planned',
    text: `SELECT position, data::text AS data, (sealed->'words')::text AS words
      FROM events WHERE realm_id = $1 AND position = ANY($2::int8[])`,
    values: [realmId, [...new Set(positions)]],
  });
  return new Map(
    rows.map(({ position, data, words }) => [position, { position, ...planned(data), words: parsed(words) }]),
  );
}

function planned(data: string): Pick<Planned, 'target' | 'messageId' | 'userId' | 'dueAt'> {
  const { target = null, messageId = null, userId, dueAt } = JSON.parse(data) as Partial<Planned> & Planned;
  return { target, messageId, userId, dueAt };
}

const parsed = (words: string | null): ScheduledText | null =>
  words === null ? null : (JSON.parse(words) as ScheduledText);
