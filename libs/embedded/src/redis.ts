import { randomBytes } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Redis } from 'ioredis';
import { createDataFolder } from './data-folder';
import { startService } from './guarded-process';
import type { GuardedCommand } from './guarded-process';

const PROGRAMS = ['redis-server', 'valkey-server'];

export interface RedisOptions {
  /** Created when missing; the server's log is written there. */
  readonly dataDir: string;
  /** Told each step that takes a noticeable time, as one sentence. */
  readonly log: (line: string) => void;
  /** Folders to look for the program in, as in the environment variable PATH. */
  readonly path?: string | undefined;
  /** Gives the start up. */
  readonly signal?: AbortSignal | undefined;
}

export interface RunningRedis {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Whether this machine has a program that `startRedis` can start. */
export const hasRedis = (): boolean => findProgram(PROGRAMS, process.env['PATH'] ?? '') !== undefined;

/**
 * Starts the machine's redis-server or valkey-server on a free port of 127.0.0.1, for us alone and without
 * persistence, as it holds nothing that PostgreSQL does not. It ends with `stop`, or with this process.
 * Gives `undefined` when the machine has neither.
 * @throws CannotStart when the program is there and does not come up.
 */
export async function startRedis({ dataDir, log, path, signal }: RedisOptions): Promise<RunningRedis | undefined> {
  const program = findProgram(PROGRAMS, path ?? process.env['PATH'] ?? '');
  if (program === undefined) return undefined;
  const folder = createDataFolder(dataDir);
  log(`Starting ${program}.`);
  const password = randomBytes(24).toString('base64url');
  const urlOn = (port: number) => `redis://:${password}@127.0.0.1:${port}`;
  const server = await startService({
    name: program,
    commandOn: (port) => serverCommand(program, port, password, join(folder, 'redis.log')),
    answersOn: (port) => answers(urlOn(port)),
    signal,
  });
  return { url: urlOn(server.port), stop: server.stop };
}

function serverCommand(program: string, port: number, password: string, logFile: string): GuardedCommand {
  const settings = [
    `port ${port}`,
    'bind 127.0.0.1',
    `requirepass ${password}`,
    'hz 100', // at the default of 10, a delayed job is up to 100 ms late
    'maxmemory-policy noeviction',
    'save ""',
    'appendonly no',
    'daemonize no',
  ];
  // the settings come by standard input: arguments, and so the password, could be read by every user
  return { command: program, args: ['-'], input: `${settings.join('\n')}\n`, stopSignal: 'SIGTERM', logFile };
}

function findProgram(names: readonly string[], path: string): string | undefined {
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function answers(url: string): Promise<boolean> {
  // its time to say goodbye runs to the end even when it never got through, and holds up the end of the process
  const patience = { connectTimeout: 2_000, disconnectTimeout: 50 };
  const client = new Redis(url, { lazyConnect: true, retryStrategy: null, ...patience });
  client.on('error', () => undefined); // said again by the rejection below
  try {
    await client.connect();
    return (await client.ping()) === 'PONG';
  } catch {
    return false;
  } finally {
    client.disconnect();
  }
}
