import { createHash } from 'node:crypto';
import type { PoolClient } from 'pg';
import type { Database } from './database';
import { leased } from './lease';

/** First half of the key of an advisory lock. The second half is the name. */
const LOCK_SPACE = 7_218_502;

/** Another process has the lock now. */
export class LockTaken extends Error {
  constructor(readonly lock: string) {
    super(`${lock} is locked by another process`);
    this.name = 'LockTaken';
  }
}

/**
 * Runs while no other process runs with one of these locks. A lock ends with its connection, so a killed process leaves
 * none behind. A frozen process loses its lock, and finds the work of the other process when it continues.
 *
 * @throws LockTaken at once, without waiting
 */
export async function withExclusiveLocks<T>(
  database: Database,
  names: readonly string[],
  run: () => Promise<T>,
): Promise<T> {
  const client = await database.pool.connect();
  let broken: Error | undefined;
  const onError = (error: Error) => (broken = error);
  client.on('error', onError);
  try {
    await lock(client, names);
    return await leased(client, run);
  } finally {
    await client.query('SELECT pg_advisory_unlock_all()').catch(onError);
    client.off('error', onError);
    client.release(broken);
  }
}

async function lock(client: PoolClient, names: readonly string[]): Promise<void> {
  const keys = names.map((name) => createHash('sha256').update(name).digest().readInt32BE(0));
  const { rows } = await client.query<{ got: boolean }>(
    'SELECT pg_try_advisory_lock($1, key) AS got FROM unnest($2::int4[]) WITH ORDINALITY AS u (key, n) ORDER BY n',
    [LOCK_SPACE, keys],
  );
  const taken = names.find((_, n) => rows[n]?.got !== true);
  if (taken !== undefined) throw new LockTaken(taken);
}
