import type { Pool } from 'pg';
import type { Instant, RealmId } from '../../domain/index';

/** The lag of one follower of the log in one realm. A build in progress is a follower of its own. */
export interface Lag {
  readonly name: string;
  /** A version that is live beside another one also counts as a build: possibly no process follows it any more. */
  readonly isBuild: boolean;
  readonly realmId: RealmId;
  readonly position: number;
  /** Number of events that it still has to apply. */
  readonly behind: number;
  /** Number of positions by which it is beyond the end of the log, after a restore; 0 normally. */
  readonly ahead: number;
  readonly parked: boolean;
  /**
   * The time since which it has not moved although the log grew, in ms since the epoch: the later of its last step and
   * the time of its next event. Null if it is at the end of the log.
   */
  readonly behindSince: Instant | null;
}

/**
 * The time of the event after the checkpoint `c` of the realm `h`. A scalar subquery: for a join the planner may read the
 * whole log, as long as it knows no statistics of the small tables.
 */
const NEXT_AT_SQL = `(SELECT e.at FROM events e
  WHERE e.realm_id = h.realm_id AND e.position = coalesce(c.position, 0) + 1)`;

/** The lags of all followers, for status, health and metrics. Live inline read models have no lag. */
export async function followerLags(pool: Pool): Promise<Lag[]> {
  const { rows } = await pool.query<Lag>({
    name: 'follower-lags',
    text: `SELECT p.name, g.building AS "isBuild", h.realm_id AS "realmId", coalesce(c.position, 0) AS position,
        greatest(h.position - coalesce(c.position, 0), 0) AS behind,
        greatest(coalesce(c.position, 0) - h.position, 0) AS ahead, coalesce(c.status = 'parked', false) AS parked,
        CASE WHEN h.position > coalesce(c.position, 0) THEN greatest(${NEXT_AT_SQL}, c.changed_at) END AS "behindSince"
      FROM projections p
      CROSS JOIN LATERAL (VALUES (CASE WHEN p.lifecycle <> 'inline' THEN p.generation END, p.side_by_side),
        (p.next_generation, true)) AS g(generation, building)
      CROSS JOIN realm_heads h
      LEFT JOIN projection_checkpoints c
        ON c.realm_id = h.realm_id AND c.projection = p.name AND c.generation = g.generation
      WHERE g.generation IS NOT NULL ORDER BY p.name, g.building, h.realm_id`,
  });
  return rows;
}

/** The time of the oldest event that a follower still has to apply; null if it is at the end of the logs. */
export async function oldestBehind(pool: Pool, follower: string): Promise<Instant | null> {
  const { rows } = await pool.query<{ at: Instant | null }>({
    name: 'follower-oldest-behind',
    text: `SELECT min(${NEXT_AT_SQL}) AS at FROM projections p CROSS JOIN realm_heads h
      LEFT JOIN projection_checkpoints c
        ON c.realm_id = h.realm_id AND c.projection = p.name AND c.generation = p.generation
      WHERE p.name = $1`,
    values: [follower],
  });
  return rows[0]?.at ?? null;
}
