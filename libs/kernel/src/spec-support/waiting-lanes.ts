import type { Pool } from 'pg';

const WAITING = `SELECT count(*)::int4 AS count FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'annals-lane' AND wait_event_type = 'Lock'`;

/** Resolves when so many lanes, of all processes, wait for a lock of this database. */
export async function untilLanesWait(pool: Pool, count: number): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ count: number }>(WAITING);
    if (rows[0]?.count === count) return;
  }
}
