import type { SpecLog } from './spec-log';

/** Resolves when a session waits for the users of a table, like a switch until their transactions end. */
export async function isWaitingForLock({ database }: Pick<SpecLog, 'database'>): Promise<void> {
  for (;;) {
    const { rows } = await database.pool.query<{ n: number }>(
      `SELECT count(*)::int4 AS n FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    if ((rows[0]?.n ?? 0) > 0) return;
  }
}
