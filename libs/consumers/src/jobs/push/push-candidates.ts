import type { DueSearch } from '@annals/kernel';
import type { Instant, Position, RealmId } from '@annals/kernel/domain';
import { DAY_MS, HOUR_MS } from '@annals/kernel/domain';
import { isActiveSql } from '@annals/realm';
import type { Pool } from 'pg';
import { endOf } from '../../read/offsets';

const PER_POSITION = endOf(1) - endOf(0);

/** The consumers whose events the server sends. */
const PUSHED = `(SELECT realm_id, consumer_id, fresh_since FROM view.consumer_webhooks
  UNION ALL SELECT realm_id, consumer_id, fresh_since FROM view.consumer_sinks)`;

/** Organizations with such consumers. */
export const REALMS_WITH_PUSH: DueSearch = {
  name: 'consumers',
  sql: `SELECT DISTINCT w.realm_id AS id FROM ${PUSHED} AS w WHERE ${isActiveSql('w.realm_id')}`,
};

/** A consumer that may have something to send. */
export interface PushCandidate {
  readonly realmId: RealmId;
  readonly id: number;
  /** The newest position of its organization. */
  readonly head: Position;
}

/** Consumers with a webhook or a sink that have not read everything or must repeat a request, and that no other process sends. */
export async function readPushCandidates(pool: Pool, holder: string, now: Instant): Promise<PushCandidate[]> {
  const { rows } = await pool.query<PushCandidate>({
    name: 'consumers-push-candidates',
    text: `SELECT w.realm_id AS "realmId", w.consumer_id AS id, h.position AS head
      FROM ${PUSHED} AS w
      JOIN view.consumers AS c ON c.realm_id = w.realm_id AND c.consumer_id = w.consumer_id
      JOIN realm_heads AS h ON h.realm_id = w.realm_id
      LEFT JOIN consumer_batches AS b ON b.realm_id = w.realm_id AND b.consumer_id = w.consumer_id
      LEFT JOIN consumer_positions AS p ON p.realm_id = w.realm_id AND p.consumer_id = w.consumer_id AND p.began = c.began
      WHERE ${isActiveSql('w.realm_id')} AND NOT c.is_paused AND (b.holder IS NULL OR b.holder = $1 OR b.held_until <= $2)
        AND (b.due_at IS NULL OR b.due_at <= $2 OR b.fresh_since <> w.fresh_since OR b.began <> c.began)
        AND (b.message_id IS NOT NULL OR p.read_to IS NULL OR p.read_to < h.position * ${PER_POSITION} + ${endOf(0)})
      ORDER BY 1, 2`,
    values: [holder, now],
  });
  return rows;
}

/** A webhook that fails, whose owner was not told yet. */
export interface UnreportedFailure {
  readonly realmId: RealmId;
  readonly id: number;
  readonly since: Instant;
}

/** Webhooks of active organizations that have failed so long that their owners must be told. */
export async function readUnreported(pool: Pool, now: Instant): Promise<UnreportedFailure[]> {
  const { rows } = await pool.query<UnreportedFailure>({
    name: 'consumers-unreported',
    text: `SELECT b.realm_id AS "realmId", b.consumer_id AS id, b.failing_since AS since
      FROM consumer_batches AS b
      JOIN view.consumer_webhooks AS w
        ON w.realm_id = b.realm_id AND w.consumer_id = b.consumer_id AND w.fresh_since = b.fresh_since
      JOIN view.consumers AS c ON c.realm_id = b.realm_id AND c.consumer_id = b.consumer_id AND NOT c.is_paused
      WHERE b.failing_since <= $1 AND (b.reported < 1 OR b.reported < 24 AND b.failing_since <= $2)
        AND ${isActiveSql('b.realm_id')}`,
    values: [now - HOUR_MS, now - DAY_MS],
  });
  return rows;
}

/** The owner was told of a failure. */
export async function markReported(
  pool: Pool,
  { realmId, id, since }: UnreportedFailure,
  hours: number,
): Promise<void> {
  await pool.query({
    name: 'consumers-mark-reported',
    text: `UPDATE consumer_batches SET reported = $4
      WHERE realm_id = $1 AND consumer_id = $2 AND failing_since = $3`,
    values: [realmId, id, since, hours],
  });
}

/** Since when the oldest failed request of an active organization is due. Null without one. */
export async function readOldestPush(pool: Pool): Promise<Instant | null> {
  const { rows } = await pool.query<{ at: Instant | null }>({
    name: 'consumers-oldest-push',
    text: `SELECT min(b.due_at) AS at FROM consumer_batches AS b
      JOIN ${PUSHED} AS w ON w.realm_id = b.realm_id AND w.consumer_id = b.consumer_id
      JOIN view.consumers AS c ON c.realm_id = b.realm_id AND c.consumer_id = b.consumer_id AND NOT c.is_paused
      WHERE b.message_id IS NOT NULL AND ${isActiveSql('b.realm_id')}`,
  });
  return rows[0]?.at ?? null;
}
