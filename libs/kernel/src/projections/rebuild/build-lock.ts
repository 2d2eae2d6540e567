import type { Database } from '../../database/database';
import { LockTaken, withExclusiveLocks } from '../../database/exclusive-locks';

/** Another process builds, compares or switches this projection now. */
export class BuildInProgress extends Error {
  constructor(readonly projection: string) {
    super(`read model ${projection} is being built by another process`);
    this.name = 'BuildInProgress';
  }
}

/**
 * Runs while no other process builds one of these projections.
 * @throws BuildInProgress at once, without waiting
 */
export async function withBuildLocks<T>(
  database: Database,
  names: readonly string[],
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await withExclusiveLocks(database, names, run);
  } catch (error) {
    throw error instanceof LockTaken ? new BuildInProgress(error.lock) : error;
  }
}
