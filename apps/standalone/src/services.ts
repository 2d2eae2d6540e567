import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { CannotStart, reasonOf, startPostgres, startRedis } from '@annals/embedded';
import type { Settings } from './settings';

type Say = (line: string) => void;

/** A service the children use, and where it is, in words. */
export interface Service<Url> {
  readonly url: Url;
  readonly where: string;
  readonly stop: () => Promise<void>;
}

const notOurs = async () => undefined;

/**
 * The database of DATABASE_URL, else an embedded one in the data folder.
 * @throws CannotStart when it cannot be used.
 */
export async function openDatabase(settings: Settings, say: Say): Promise<Service<string>> {
  const { DATABASE_URL: url, ANNALS_DATA_DIR: dataDir } = settings;
  if (url === undefined) {
    const postgres = await startPostgres({ dataDir, log: say, ifRunning: 'replace' });
    return { url: postgres.url, where: `PostgreSQL in ${postgres.folder}`, stop: postgres.stop };
  }
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined); // it is asked for its answer only, and given up right after
  try {
    await client.connect();
  } catch (error) {
    throw new CannotStart(`The database of DATABASE_URL (${place(url)}) cannot be used: ${reasonOf(error)}.`);
  } finally {
    await client.end().catch(notOurs);
  }
  return { url, where: `PostgreSQL at ${place(url)} (DATABASE_URL)`, stop: notOurs };
}

/**
 * What carries the queues: the Redis of REDIS_URL, else one that is installed on this machine, else (`undefined`)
 * PostgreSQL. A Redis that is installed and does not come up is said and done without.
 * @param path where to look for the program, as in the environment variable PATH
 * @throws CannotStart when REDIS_URL is given and does not answer.
 */
export async function openQueues(settings: Settings, say: Say, path?: string): Promise<Service<string | undefined>> {
  const { REDIS_URL: url, ANNALS_DATA_DIR: dataDir } = settings;
  if (url !== undefined) {
    await checkRedis(url);
    return { url, where: `Redis at ${place(url)} (REDIS_URL)`, stop: notOurs };
  }
  const onPostgres = { url: undefined, where: 'PostgreSQL', stop: notOurs };
  try {
    const redis = await startRedis({ dataDir, log: say, path });
    return redis ? { ...redis, where: `Redis on this machine (port ${new URL(redis.url).port})` } : onPostgres;
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error;
    say(`${error.message} The queues are on PostgreSQL instead.`);
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

/** Host, port and name of a connection string; never the password. */
function place(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

/**
 * Makes sure that the api can listen on this address, before anything is started for it.
 * @param patienceMs how long the address may stay taken, by what an earlier run left and is about to end
 * @throws CannotStart when it cannot.
 */
export async function checkAddress(host: string, port: number, patienceMs: number): Promise<void> {
  const giveUpAt = performance.now() + patienceMs;
  for (;;) {
    const server = createServer();
    try {
      server.listen(port, host);
      await once(server, 'listening');
      server.close();
      return void (await once(server, 'close'));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EADDRINUSE') throw new CannotStart(cannotListen(code, host, port));
      if (performance.now() >= giveUpAt)
        throw new CannotStart(`Port ${port} of ${host} is taken: end what listens there, or set PORT to another one.`);
      await sleep(100);
    }
  }
}

function cannotListen(code: string | undefined, host: string, port: number): string {
  if (code === 'EACCES') return `Only root may listen on port ${port}: set PORT to one from 1024 to 65535.`;
  return `HOST is ${host}, which is no address of this machine (${code}).`;
}
