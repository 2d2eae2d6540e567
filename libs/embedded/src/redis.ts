import { randomBytes } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Redis } from 'ioredis';
import { createDataFolder } from './data-folder';
import { startService } from './guarded-process';
import type { GuardedCommand } from './guarded-process';

const PROGRAMS = ['redis-server', 'valkey-server'];

export interface RedisOptions {
  /** Created if it is missing. The log of the server is written there. */
  readonly dataDir: string;
  /** Receives one sentence for each step that takes a noticeable time. */
  readonly log: (line: string) => void;
  /** The folders to search for the program, in the form of the environment variable PATH. */
  readonly path?: string | undefined;
  /** Aborts the start. */
  readonly signal?: AbortSignal | undefined;
}

export interface RunningRedis {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Whether this machine has a program that `startRedis` can start. */
export const hasRedis = (): boolean => findProgram(PROGRAMS, process.env['PATH'] ?? '') !== undefined;

/**
 * Starts the redis-server or valkey-server of this machine on a free port of 127.0.0.1. Only this installation uses it.
 * It has no persistence, because everything in it follows from PostgreSQL. It ends with `stop`, or with this process.
 * Returns undefined if the machine has neither program.
 * @throws CannotStart if there is a program and it does not start
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
    'hz 100', // With the default of 10, a delayed job is up to 100 ms late.
    'maxmemory-policy noeviction',
    'save ""',
    'appendonly no',
    'daemonize no',
  ];
  // Settings are passed by standard input: all users can read arguments, and so the password.
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
  // The timeout of `quit` runs to its end even if the connection failed, and delays the end of the process.
  const patience = { connectTimeout: 2_000, disconnectTimeout: 50 };
  const client = new Redis(url, { lazyConnect: true, retryStrategy: null, ...patience });
  client.on('error', () => undefined); // the rejection below reports the same error
  try {
    await client.connect();
    return (await client.ping()) === 'PONG';
  } catch {
    return false;
  } finally {
    client.disconnect();
  }
}
