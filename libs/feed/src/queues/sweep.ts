import type { Pool } from 'pg';
import type { Database } from '@annals/kernel';
import type { Instant, RealmId } from '@annals/kernel/domain';
import { DAY_MS } from '@annals/kernel/domain';
import { dropPartitions } from './partitions';

/** Client events removed by one statement. */
const PAGE = 5_000;

/** The numbers of queues and client events that a sweep deleted. */
export interface SweptQueues {
  readonly queues: number;
  /** Client events that were in no partition. */
  readonly events: number;
  /** Names of the dropped partitions of client events. */
  readonly partitions: readonly string[];
}

/**
 * Deletes what is older than a queue may live: queues without a poll, and client events. The position up to which
 * events are deleted is stored, so that a cursor from before it is refused and never answered with a gap.
 *
 * @param days how long a queue lives without a poll
 */
export async function sweep(
  database: Database,
  realms: readonly RealmId[],
  now: Instant,
  days: number,
): Promise<SweptQueues> {
  const { pool } = database;
  const before = now - days * DAY_MS;
  const { rowCount } = await pool.query({
    name: 'sweep-queues',
    text: 'DELETE FROM client_queues WHERE realm_id = ANY($1::int4[]) AND last_contact < $2',
    values: [realms, before],
  });
  const partitions = await dropPartitions(database, before);
  let events = 0;
  for (const realmId of realms) events += await sweepEvents(pool, realmId, before);
  return { queues: rowCount ?? 0, events, partitions };
}

async function sweepEvents(pool: Pool, realmId: RealmId, before: number): Promise<number> {
  let events = 0;
  for (;;) {
    // The oldest rows come first, since time never decreases in a log. The rest of the table is not read.
    const { rows } = await pool.query<{ count: number }>({
      name: 'sweep-events',
      text: `WITH oldest AS (
          SELECT position, k FROM client_events_rest WHERE realm_id = $1 ORDER BY position, k LIMIT $3
        ), gone AS (
          DELETE FROM client_events_rest e USING oldest o
          WHERE e.realm_id = $1 AND e.position = o.position AND e.k = o.k AND e.at < $2 RETURNING e.position
        ), noted AS (
          INSERT INTO client_event_horizons AS h (realm_id, position)
          SELECT $1, max(position) FROM gone HAVING count(*) > 0
          ON CONFLICT (realm_id) DO UPDATE SET position = greatest(h.position, excluded.position)
        )
        SELECT count(*)::int4 AS count FROM gone`,
      values: [realmId, before, PAGE],
    });
    const removed = rows[0]?.count ?? 0;
    events += removed;
    if (removed < PAGE) return events;
  }
}
