import { availableParallelism } from 'node:os';
import { CannotStart, reasonOf } from '@annals/embedded';
import type { Clock } from '@annals/kernel/domain';
import { Kernel, checkDescriptions } from '@annals/kernel';
import { pino } from 'pino';
import { contexts } from './contexts';
import type { Settings } from './settings';
import { ensureSuitable } from './suitable-database';

/**
 * The kernel of an app with all contexts, on the database and queue backend of the settings.
 *
 * @throws CannotStart when the database cannot hold an event log
 * @throws Error when the audit trail has nothing to say about an event type
 */
export async function openKernel(
  settings: Settings,
  options: { clock?: Clock; poolSize?: number } = {},
): Promise<Kernel> {
  if (settings.DATABASE_URL === undefined) throw new CannotStart('DATABASE_URL must be set.');
  checkDescriptions(contexts);
  const kernel = await Kernel.open({
    databaseUrl: settings.DATABASE_URL,
    redisUrl: settings.REDIS_URL,
    contexts,
    log: pino({ level: settings.ANNALS_LOG_LEVEL, base: null }),
    poolSize: settings.ANNALS_POOL_SIZE,
    lanes: settings.ANNALS_LANES ?? lanesFor(availableParallelism()),
    ...options,
  });
  try {
    await ensureSuitable(kernel.database);
    return kernel;
  } catch (error) {
    await kernel.close();
    throw error;
  }
}

/** A lane keeps a processor busy, and PostgreSQL another one. */
export const lanesFor = (processors: number): number => Math.min(4, Math.max(1, Math.floor(processors / 2)));

/** Why an app cannot start, in one sentence for the operator. */
export function whyNot(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  if (code === 'EADDRINUSE') return 'The port is taken: set PORT to a free one.';
  if (code === 'EACCES') return 'This user may not listen on that port: set PORT to one above 1023.';
  return reasonOf(error);
}

/** The default address for clients: this machine under its loopback name. */
export function defaultAddressOf({ ANNALS_URL, HOST, PORT }: Pick<Settings, 'ANNALS_URL' | 'HOST' | 'PORT'>): string {
  if (ANNALS_URL !== undefined) return ANNALS_URL;
  const everywhere = HOST === '0.0.0.0' || HOST === '::';
  const host = everywhere ? 'localhost' : HOST.includes(':') ? `[${HOST}]` : HOST;
  return `http://${host}:${PORT}`;
}
