import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { startPostgres } from './postgres';
import type { PostgresOptions, RunningPostgres } from './postgres';
import { commandOf } from './process-command';

const folders: string[] = [];
const servers: RunningPostgres[] = [];

async function start(options: Pick<PostgresOptions, 'dataDir' | 'ifRunning' | 'port'>): Promise<RunningPostgres> {
  const server = await startPostgres({ ...options, log: () => undefined });
  servers.push(server);
  return server;
}

function temporaryFolder(mode = 0o755): string {
  const folder = mkdtempSync(join(tmpdir(), 'annals-embedded-'));
  folders.push(folder);
  chmodSync(folder, mode);
  return folder;
}

afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return rows.flatMap((row) => Object.values(row));
  } finally {
    await client.end();
  }
}

const serverPid = (folder: string) =>
  Number(readFileSync(join(folder, 'cluster/postmaster.pid'), 'utf8').split('\n')[0]);

/** Starts it in a process of its own. Nothing else keeps the process running. */
async function startInChild(dataDir: string): Promise<{ parent: ChildProcess; folder: string }> {
  const script = `setInterval(() => {}, 60_000); require('${__dirname}').startPostgres({ dataDir: '${dataDir}', log() {} }).then((s) => process.send(s))`;
  const hook = resolve(__dirname, '../../../test/support/typescript.cjs');
  const parent = spawn(process.execPath, ['-r', hook, '-e', script], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [{ folder }] = (await once(parent, 'message')) as [RunningPostgres];
  return { parent, folder };
}

/** Resolves when the process has ended; the test's own time limit bounds the wait. */
async function gone(pid: number): Promise<void> {
  while (commandOf(pid) !== undefined) await sleep(10);
}

describe('an embedded PostgreSQL', () => {
  it('keeps what was committed over a stop and a start at the same port, and does not run in between', async () => {
    const dataDir = temporaryFolder();
    const first = await start({ dataDir });
    await ask(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    await first.stop();
    await expect(ask(first.url, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });

    const port = Number(new URL(first.url).port);
    const second = await start({ dataDir, port });
    expect(second).toMatchObject({ adopted: false, url: first.url });
    expect(await ask(second.url, 'SELECT answer FROM kept')).toEqual([42]);
  });

  it('is durable, knows the case of every letter, and refuses connections without the password', async () => {
    const dataDir = temporaryFolder();
    const { url, folder } = await start({ dataDir });
    const settings = `SELECT current_setting('fsync') a, current_setting('synchronous_commit') b, lower('ÄÖ') c`;
    expect(await ask(url, settings)).toEqual(['on', 'on', 'äö']);
    expect(statSync(join(folder, 'password')).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    await expect(ask(url.replace(/:[^:@]+@/, ':wrong@'), 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
  });

  it('is adopted by a second process, and runs until the first one stops it', async () => {
    const dataDir = temporaryFolder();
    const first = await start({ dataDir });
    const second = await start({ dataDir });
    expect(second).toMatchObject({ adopted: true, url: first.url });
    await second.stop();
    expect(await ask(first.url, 'SELECT 7')).toEqual([7]);
  });

  it('replaces the one of an earlier run when asked to', async () => {
    const dataDir = temporaryFolder();
    const first = await start({ dataDir });
    const earlier = serverPid(first.folder);
    const second = await start({ dataDir, ifRunning: 'replace' });
    expect(second.adopted).toBe(false);
    expect(serverPid(second.folder)).not.toBe(earlier);
    expect(commandOf(earlier)).toBeUndefined();
  });

  it('starts although its old process id belongs to another process by now', async () => {
    const dataDir = temporaryFolder();
    const first = await start({ dataDir });
    await first.stop();
    writeFileSync(join(first.folder, 'cluster/postmaster.pid'), `${process.ppid}\n/elsewhere\n0\n5432\n`);
    const second = await start({ dataDir });
    expect(await ask(second.url, 'SELECT 7')).toEqual([7]);
  });

  it('does not outlive a process that is killed', async () => {
    const { parent, folder } = await startInChild(temporaryFolder());
    const server = serverPid(folder);
    parent.kill('SIGKILL');
    await gone(server);
    expect(readFileSync(join(folder, 'postgres.log'), 'utf8')).toMatch(/database system is shut down\n$/);
  });

  it('starts again at once after the process that had started it was killed', async () => {
    const dataDir = temporaryFolder();
    const { parent } = await startInChild(dataDir);
    parent.kill('SIGKILL');
    const { adopted, url } = await start({ dataDir, ifRunning: 'replace' });
    expect(adopted).toBe(false);
    expect(await ask(url, 'SELECT 7')).toEqual([7]);
  });

  it('finds a place for the files when the data folder is closed to everybody else', async () => {
    const closed = temporaryFolder(0o700);
    const dataDir = join(closed, 'data');
    mkdirSync(dataDir);
    const first = await start({ dataDir });
    await ask(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    const second = await start({ dataDir });
    expect(await ask(second.url, 'SELECT answer FROM kept')).toEqual([42]);
    await second.stop();
    const place = realpathSync(join(dataDir, 'postgres'));
    expect(second.folder).toBe(place);
    expect(lstatSync(join(dataDir, 'postgres')).isSymbolicLink()).toBe(process.getuid?.() === 0);
    rmSync(place, { recursive: true });
  });

  it('reports in one sentence when the data folder cannot be used', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    await expect(start({ dataDir: join(file, 'data') })).rejects.toThrow(
      /^The data folder .*file\/data cannot be used: it is not a folder\.$/,
    );
  });
});
