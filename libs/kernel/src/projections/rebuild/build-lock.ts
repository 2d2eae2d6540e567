import { createHash } from 'node:crypto';
import type { PoolClient } from 'pg';
import type { Database } from '../../database/database';
import { leased } from '../../database/lease';

/** First half of the key of the advisory lock. The second half is the name of the projection. */
const BUILD_LOCK = 7_218_502;

/** Another process builds, compares or switches this projection now. */
export class BuildInProgress extends Error {
  constructor(readonly projection: string) {
    super(`read model ${projection} is being built by another process`);
    this.name = 'BuildInProgress';
  }
}

/**
 * Runs while no other process builds one of these projections. The lock ends with its connection, so a killed process
 * leaves no lock behind. A frozen process loses its lock, and finds the work of the other process when it continues.
 * @throws BuildInProgress at once, without waiting
 */
export async function withBuildLocks<T>(
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
    [BUILD_LOCK, keys],
  );
  const taken = names.find((_, n) => rows[n]?.got !== true);
  if (taken !== undefined) throw new BuildInProgress(taken);
}
