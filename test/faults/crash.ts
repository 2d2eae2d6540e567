import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@annals/embedded';
import type { RunningPostgres } from '@annals/embedded';
import { Client } from 'pg';

const ATTEMPT_MS = 50;
const ATTEMPTS = 1_200;

/** A PostgreSQL for the specs of one block alone, which may crash it. @returns what gives its address once they run */
export function postgresOfItsOwn(): () => string {
  let postgres: RunningPostgres;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'annals-crash-'));
    chmodSync(folder, 0o755);
    postgres = await startPostgres({ dataDir: folder, log: () => undefined });
  });
  afterAll(async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return () => postgres.url;
}

/**
 * A killed backend makes PostgreSQL end all others and recover from its log, as after a power failure. Resolves when it
 * has begun to do so: the killed one has ended before PostgreSQL notices, and others continue in between.
 */
export async function crash(url: string): Promise<void> {
  const [victim, witness] = [await connected(url), await connected(url)];
  const { rows } = await victim.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const ended = Promise.all([victim, witness].map((client) => new Promise((resolve) => client.once('end', resolve))));
  const pid = rows[0]?.pid;
  if (pid === undefined) throw new Error('PostgreSQL has no process to kill');
  process.kill(pid, 'SIGKILL');
  await ended;
}

/**
 * Kills PostgreSQL's process for the write-ahead log: it ends all others and recovers, without commits that did not
 * wait for the disk. Resolves when they have ended.
 */
export async function killWalWriter(url: string): Promise<void> {
  const witness = await connected(url);
  const { rows } = await witness.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE backend_type = 'walwriter'`,
  );
  const ended = new Promise((resolve) => witness.once('end', resolve));
  const pid = rows[0]?.pid;
  if (pid === undefined) throw new Error('PostgreSQL has no WAL writer');
  process.kill(pid, 'SIGKILL');
  await ended;
}

/**
 * A commit that does not wait for the disk is written when another one waits, or after ten seconds, so that a crash
 * loses as much as it can.
 */
export async function flushLate(url: string): Promise<void> {
  const client = await connected(url);
  await client.query(`ALTER SYSTEM SET wal_writer_delay = '10s'`);
  await client.query('SELECT pg_reload_conf()');
  await client.end();
}

/** Asks PostgreSQL for a new connection until it gives one again. All former ones have ended then. */
export const recovered = (url: string): Promise<void> => onceItAnswers(async () => (await connected(url)).end());

/** Requests fail until PostgreSQL is back and the connections that it cut are replaced. */
export async function onceItAnswers<T>(request: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await request(attempt);
    } catch (error) {
      if (attempt >= ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, ATTEMPT_MS));
    }
  }
}

async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
