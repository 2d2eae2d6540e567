import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client, DatabaseError } from 'pg';
import { CannotStart, reasonOf } from './cannot-start';
import { startService } from './guarded-process';
import type { GuardedCommand } from './guarded-process';
import { preparePostgresHome } from './postgres-home';
import type { PostgresHome } from './postgres-home';
import { postgresPrograms } from './postgres-programs';
import { commandOf } from './process-command';
import { serviceEnvironment } from './service-environment';

const OWNER = 'annals';
const DATABASE = 'annals';
const EARLIER_RUN_PATIENCE_MS = 60_000;

/** Durability has PostgreSQL's defaults: an answered request survives a power failure. */
const SERVER_SETTINGS = {
  max_connections: '200',
  shared_buffers: '256MB',
  wal_buffers: '16MB',
  min_wal_size: '256MB',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_error_verbosity: 'terse', // The details of an error quote rows, and rows contain texts of users.
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
};

export interface PostgresOptions {
  /** Created if it is missing. The database is in its subfolder `postgres`. */
  readonly dataDir: string;
  /** Receives one sentence for each step that takes a noticeable time. */
  readonly log: (line: string) => void;
  /**
   * A server that already runs on these files is used (the default) or replaced. Replacing is for a caller that knows that
   * the process which started the server has ended, and that the server ends soon.
   */
  readonly ifRunning?: 'adopt' | 'replace';
  /** Aborts the start. */
  readonly signal?: AbortSignal | undefined;
  /** The port to use, for a server that returns to its earlier port; a free one by default. */
  readonly port?: number | undefined;
}

export interface RunningPostgres {
  /** Connection string of the database `annals`, as its superuser. */
  readonly url: string;
  /** True if another process started the server and stops it. Then `stop` has no effect. */
  readonly adopted: boolean;
  /** Resolves when the server has ended, for any reason. Never resolves for an adopted server. */
  readonly ended: Promise<void>;
  /** The folder that really holds the files. */
  readonly folder: string;
  readonly stop: () => Promise<void>;
}

/**
 * Starts a PostgreSQL on a free port of 127.0.0.1. The first start creates its files and the database `annals`. The
 * server ends with `stop`, or with this process, for whatever reason that ends.
 * @throws CannotStart if this machine does not let it run
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const { dataDir, log, signal, port } = options;
  const home = preparePostgresHome(dataDir);
  const cluster = join(home.path, 'cluster');
  const password = passwordOf(home);
  const urlOn = (port: number, database = DATABASE) => `postgres://${OWNER}:${password}@127.0.0.1:${port}/${database}`;
  const answersOn = (port: number) => answers(urlOn(port, 'postgres'));

  const adopted = await earlierServer(cluster, options, answersOn);
  if (adopted !== undefined) {
    await createDatabase(urlOn(adopted, 'postgres'));
    const theirs = { ended: new Promise<never>(() => undefined), stop: async () => undefined };
    return { url: urlOn(adopted), adopted: true, folder: home.path, ...theirs };
  }
  const programs = postgresPrograms(home);
  if (!existsSync(join(cluster, 'PG_VERSION'))) await createCluster(programs, cluster, home, log);
  log('Starting PostgreSQL.');
  const commandOn = (port: number) => serverCommand(programs, cluster, home, port);
  const server = await startService({ name: 'PostgreSQL', commandOn, answersOn, signal, port });
  await createDatabase(urlOn(server.port, 'postgres'));
  return { url: urlOn(server.port), adopted: false, folder: home.path, ended: server.ended, stop: server.stop };
}

function serverCommand(programs: string, cluster: string, home: PostgresHome, port: number): GuardedCommand {
  const settings = Object.entries({ ...SERVER_SETTINGS, port: String(port) });
  return {
    command: join(programs, 'postgres'),
    args: ['-D', cluster, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    runAs: home.runAs,
    stopSignal: 'SIGINT',
    logFile: join(home.path, 'postgres.log'),
  };
}

function passwordOf(home: PostgresHome): string {
  const file = join(home.path, 'password');
  if (!existsSync(file)) {
    if (existsSync(join(home.path, 'cluster')))
      throw new CannotStart(`${file} is missing. Without it the database beside it cannot be opened.`);
    writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 });
    if (home.runAs) chownSync(file, home.runAs.uid, home.runAs.gid);
  }
  return readFileSync(file, 'utf8').trim();
}

/**
 * Creates the files beside their final place, so that a start that is killed half-way leaves nothing that seems
 * complete.
 */
async function createCluster(
  programs: string,
  cluster: string,
  home: PostgresHome,
  log: (line: string) => void,
): Promise<void> {
  log('Creating the database files.');
  const unfinished = `${cluster}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  const args = ['-D', unfinished, '-U', OWNER, '--auth=scram-sha-256', `--pwfile=${join(home.path, 'password')}`];
  // The built-in locale C.UTF-8 knows the case of all letters. Plain C knows only English letters.
  // While a segment is made, every commit waits for its zeroes: some 50 ms with 16 MB.
  args.push('--wal-segsize=2');
  args.push('--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8');
  try {
    const env = serviceEnvironment();
    await promisify(execFile)(join(programs, 'initdb'), args, { cwd: '/', env, ...home.runAs });
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.trim().split('\n').at(-1);
    throw new CannotStart(`The database files cannot be created in ${home.path}: ${said || reasonOf(error)}.`);
  }
  renameSync(unfinished, cluster);
}

/**
 * Handles a server that runs on these files. Returns its port if it can be used; otherwise waits until it has ended.
 */
async function earlierServer(
  cluster: string,
  { ifRunning = 'adopt', log, signal }: PostgresOptions,
  answersOn: (port: number) => Promise<boolean>,
): Promise<number | undefined> {
  const giveUpAt = performance.now() + EARLIER_RUN_PATIENCE_MS;
  for (let round = 0; ; round++) {
    const earlier = runningServer(cluster);
    if (!earlier) return undefined;
    if (ifRunning === 'adopt' && earlier.port !== undefined && (await answersOn(earlier.port))) return earlier.port;
    if (ifRunning === 'replace' && round === 0) process.kill(earlier.pid, 'SIGINT');
    if (round === 0) log('Waiting for the PostgreSQL of an earlier run.');
    if (performance.now() > giveUpAt)
      throw new CannotStart(`The PostgreSQL of an earlier run (process ${earlier.pid}) neither answers nor ends.`);
    await sleep(50, undefined, { signal });
  }
}

function runningServer(cluster: string): { readonly pid: number; readonly port: number | undefined } | undefined {
  const file = join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const [pid, , , port] = readFileSync(file, 'utf8').split('\n').map(Number);
  if (!pid) return undefined;
  const command = commandOf(pid);
  if (command?.includes(cluster)) return { pid, port: port || undefined };
  // If another process has this id meanwhile, PostgreSQL would take it for a server.
  if (command !== undefined) rmSync(file, { force: true });
  return undefined;
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined); // The connection may break between the answer and its end.
  try {
    await client.connect();
    return true;
  } catch (error) {
    // Errors of class 28: the server runs and refuses this user, so waiting is useless.
    if (error instanceof DatabaseError && error.code?.startsWith('28'))
      throw new CannotStart(`The database does not accept its own password: ${error.message}.`);
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function createDatabase(adminUrl: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
    if (!rowCount) await client.query(`CREATE DATABASE ${DATABASE}`);
  } finally {
    await client.end();
  }
}
