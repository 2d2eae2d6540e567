import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '@annals/embedded';
import { Client } from 'pg';
import { createTestDatabase } from '../support/server/database';
import type { TestDatabase } from '../support/server/database';
import { LauncherProcess, launcherWith } from './launcher-process';

let database: TestDatabase;
let dataDir: string;

beforeEach(async () => {
  database = await createTestDatabase();
  dataDir = mkdtempSync(join(tmpdir(), 'annals-refusals-'));
});
afterEach(async () => {
  await database.drop();
  rmSync(dataDir, { recursive: true });
});

async function query(sql: string): Promise<void> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** The output of the launcher on this database with the real programs, after its two lines of progress. */
async function refusal(url: string): Promise<string> {
  const PORT = String(await freePort());
  const env = { DATABASE_URL: url, PORT, ANNALS_DATA_DIR: dataDir, REDIS_URL: '', PATH: '' };
  const launcher = new LauncherProcess(launcherWith('real'), env);
  expect(await launcher.exitCode()).toBe(1);
  return launcher.output;
}

describe('npm start, with the real programs, refuses in one sentence', () => {
  it('a database of a newer program', async () => {
    await query(`INSERT INTO migrations (timestamp, name) VALUES (9000000000000, 'Tomorrow9000000000000')`);
    expect(await refusal(database.url)).toBe('Preparing the database.\nThe database is newer than this program.\n');
  });

  it('a database in which it may make nothing', async () => {
    const url = new URL(database.url);
    const role = `guest_${url.pathname.slice(1)}`;
    await query(`DROP SCHEMA public CASCADE; CREATE SCHEMA public;
      CREATE ROLE ${role} LOGIN PASSWORD 'guest'; GRANT USAGE ON SCHEMA public TO ${role}`);
    [url.username, url.password] = [role, 'guest'];
    const message = await refusal(url.href);
    await query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    expect(message).toBe(
      'Preparing the database.\nThe database schema cannot be updated: permission denied for schema public.\n',
    );
  });

  it('a database that cannot hold every character', async () => {
    const url = new URL(database.url);
    url.pathname += '_latin';
    const name = url.pathname.slice(1);
    await query(`CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0`);
    const message = await refusal(url.href);
    await query(`DROP DATABASE ${name} WITH (FORCE)`);
    expect(message).toBe(
      'Preparing the database.\n' +
        "The database has the encoding LATIN1. Create it with ENCODING 'UTF8' TEMPLATE template0.\n",
    );
  });
});

describe('a program that is started by itself', () => {
  it.each([
    ['api', [], 'DATABASE_URL'],
    ['worker', [], 'REDIS_URL'],
    ['cli', ['status'], 'REDIS_URL'],
    ['cli', ['setup'], 'DATABASE_URL'],
  ] as const)('refuses a wrong address: %s %j, %s', async (app, args, name) => {
    const main = join(__dirname, '../../apps', app, 'src/main.ts');
    const wrong = { DATABASE_URL: 'postgres://me:12#s3cret@host/db', REDIS_URL: 'redis://:s3cret%zz@h' };
    const env = { DATABASE_URL: database.url, [name]: wrong[name] };
    const node = ['-r', require.resolve('../support/typescript.cjs'), main, ...args];
    const child = spawn(process.execPath, node, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = once(child, 'close');
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    await ended;
    expect([out, child.exitCode]).toEqual(['', 1]);
    expect(err).toMatch(new RegExp(`^${name} must look like .*\\.\n$`));
  });
});
