import { Redis } from 'ioredis';
import { CannotStart, reasonOf, startRedis } from '@annals/embedded';
import { notOurs, place } from './service';
import type { Say, UsedService } from './service';
import type { Settings } from '../../shared/src/settings';

/**
 * The store of the queues: the Redis of REDIS_URL, else one that is installed on this machine, else (`undefined`)
 * PostgreSQL. If an installed Redis does not start, this is reported and PostgreSQL is used.
 *
 * @param options.path where to look for the program, as in the environment variable PATH
 * @throws CannotStart when REDIS_URL is given and does not answer
 */
export async function findQueues(
  settings: Settings,
  say: Say,
  { path, signal }: { path?: string | undefined; signal?: AbortSignal } = {},
): Promise<UsedService<string | undefined>> {
  const { REDIS_URL: url, ANNALS_DATA_DIR: dataDir } = settings;
  if (url !== undefined) {
    await checkRedis(url);
    return { url, where: `Redis at ${place(url)} (REDIS_URL)`, stop: notOurs };
  }
  const onPostgres = { url: undefined, where: 'PostgreSQL', stop: notOurs };
  try {
    const redis = await startRedis({ dataDir, log: say, path, signal });
    return redis ? { ...redis, where: `Redis on this machine (port ${new URL(redis.url).port})` } : onPostgres;
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error;
    say(`${error.message} PostgreSQL is used for the queues instead.`);
    return onPostgres;
  }
}

async function checkRedis(url: string): Promise<void> {
  const patience = { connectTimeout: 10_000, disconnectTimeout: 50 };
  const client = new Redis(url, { lazyConnect: true, retryStrategy: null, ...patience });
  const errors: unknown[] = [];
  client.on('error', (error: unknown) => errors.push(error));
  try {
    await client.connect();
    await client.ping();
  } catch (error) {
    const reason = reasonOf(errors[0] ?? error);
    throw new CannotStart(`The Redis of REDIS_URL (${place(url)}) cannot be used: ${reason}.`);
  } finally {
    client.disconnect();
  }
}
