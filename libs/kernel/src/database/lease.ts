import type { PoolClient } from 'pg';
import { Repeated } from '../work/repeated';

/** How often a process says on a connection that it still needs what that holds, in ms. */
const RENEW_MS = 1_000;
/** After which silence PostgreSQL ends the session, in ms. */
export const LEASE_MS = 5_000;

/**
 * Runs something while a connection, which nobody else uses meanwhile, holds advisory locks. A process that is killed loses
 * them at once, one that stands still loses them by its silence, and finds when it goes on that others have done the work.
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
