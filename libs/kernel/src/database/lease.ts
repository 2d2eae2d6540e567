import type { PoolClient } from 'pg';
import { Repeated } from '../work/repeated';

/** Interval in ms at which a process renews a lease on its connection. */
const RENEW_MS = 1_000;
/** Time in ms without a renewal after which PostgreSQL ends the session. */
export const LEASE_MS = 5_000;

/**
 * Runs a function while a connection of its own holds advisory locks. A killed process loses them at once. A frozen
 * process loses them for lack of renewals, and finds the work of another process when it continues.
 */
export async function leased<T>(client: PoolClient, run: () => Promise<T>): Promise<T> {
  await client.query(`SET idle_session_timeout = ${LEASE_MS}`);
  const renewals = new Repeated(RENEW_MS, async () => {
    await client.query('SELECT').catch(() => undefined);
  });
  renewals.start();
  try {
    return await run();
  } finally {
    await renewals.stop();
    await client.query('RESET idle_session_timeout').catch(() => undefined);
  }
}
