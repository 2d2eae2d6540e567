import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kernel, kernelContext } from '@annals/kernel';
import type { Fact, RealmId, UserId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { Credentials, ProfileDeleted, UserFacts } from '@annals/users';
import { pino } from 'pino';
import { runCli } from '../../../test/support/processes/cli';
import type { TestDatabase } from '../../../test/support/server/database';
import { createTestDatabase } from '../../../test/support/server/database';
import { CallRecorder } from '../../../test/support/events/call-recorder';
import { setUpTestOrganization } from '../../../test/support/server/organization';
import { leaks } from '../../../test/support/laws/secrets-law';
import { contexts } from '../../shared/src/contexts';
import { erase } from './commands/erase';

/** Far more text than a pipe holds. */
const EVENTS = 2_000;

let database: TestDatabase;
let kernel: Kernel;
let env: Record<string, string>;

beforeAll(async () => {
  database = await createTestDatabase();
  const redisUrl = process.env['ANNALS_TEST_REDIS_URL'];
  const log = pino({ level: 'fatal' });
  kernel = await Kernel.open({ databaseUrl: database.url, redisUrl, contexts, log, poolSize: 2 });
  await setUpTestOrganization(kernel);
  const [definition] = kernelContext.events;
  const one: Fact = { type: definition?.type ?? '', data: {}, sealed: null };
  const origin = { client: 'spec', correlation: '00000000-0000-4000-8000-000000000001', address: null };
  await kernel.work.run({ realmId: 1 as RealmId, userId: null, origin }, async (work) =>
    work.append(
      'log',
      Array.from({ length: EVENTS }, () => one),
    ),
  );
  env = { DATABASE_URL: database.url, REDIS_URL: redisUrl ?? '' };
});
afterAll(async () => {
  expect(await leaks({ kernel, redisUrl: env['REDIS_URL'] || undefined, said: [] })).toEqual([]);
  await kernel.close();
  await database.drop();
});

/** A command line of a shell, where `annals` is the program and its exit code is told on standard error. */
async function shell(line: string): Promise<{ out: string; err: string }> {
  const program = `${process.execPath} -r ${require.resolve('../../../test/support/typescript.cjs')} ${join(__dirname, 'main.ts')}`;
  const script = `annals() { ${program} "$@"; echo "exit code $?" >&2; }; ${line}`;
  const child = spawn('sh', ['-c', script], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { out: '', err: '' };
  child.stdout.on('data', (text) => (said.out += String(text)));
  child.stderr.on('data', (text) => (said.err += String(text)));
  await once(child, 'close');
  return said;
}

describe('a command whose reader closes the pipe', () => {
  it.each(['tail --after 0 --once', 'tail --after 0'])('annals %s | head ends quietly', async (command) => {
    const { out, err } = await shell(`annals ${command} | head -n 2`);
    expect(out.split('\n')).toHaveLength(3);
    expect(out).toContain('"position":2');
    expect(err).toBe('exit code 0\n');
  });

  it('annals status | true does what it does, and says nothing of it', async () => {
    expect(await shell('annals status | true')).toEqual({ out: '', err: 'exit code 0\n' });
  });

  if (existsSync('/dev/full'))
    it('says so when it could not write for another reason', async () => {
      expect((await shell('annals status > /dev/full')).err).toMatch(/ENOSPC.*\nexit code 1\n$/);
    });
});

describe('a command without a terminal', () => {
  it('prints nothing but lines', async () => {
    const rebuilt = await runCli(env, 'views', 'rebuild', 'messages', 'users', '--switch');
    expect(rebuilt).toEqual({
      out: `messages: built\n  equal to the live version\nusers: built\n  equal to the live version\nmessages: live\nusers: live\n`,
      err: '',
      code: 0,
      signal: null,
    });
    const verified = await runCli(env, 'verify');
    expect(verified).toMatchObject({ err: '', code: 0 });
    expect(verified.out).toMatch(/^realm 1: \d+ events, intact\n$/);
  });
});

describe('annals key', () => {
  it('issues one more key, written into the log, and prints nothing else', async () => {
    const { out, ...end } = await runCli(env, 'key', 'Owner@example.com');
    expect(end).toEqual({ err: '', code: 0, signal: null });
    expect(out).toMatch(/^[A-Za-z0-9]{32}\n$/);
    expect((await kernel.events.page(1 as RealmId, 0, 10_000)).at(-1)).toMatchObject({ type: 'users.ApiKeyIssued' });
    const credentials = new Credentials(kernel);
    const owner = await new UserFacts(kernel).idByEmail(1 as RealmId, 'owner@example.com');
    expect(owner && (await credentials.accept(1 as RealmId, owner, out.trim()))).toEqual(expect.any(Number));
  });

  it('reports that no account has the address, or that it may not log in', async () => {
    const nobody = { code: 1, out: 'No account has the email address nobody@example.com.\n', err: '', signal: null };
    expect(await runCli(env, 'key', 'nobody@example.com')).toEqual(nobody);
    const { rows } = await kernel.database.pool.query<{ email_key: string }>(
      'SELECT email_key FROM view.users WHERE is_system_bot',
    );
    expect(await runCli(env, 'key', rows[0]?.email_key ?? '')).toEqual({
      ...nobody,
      out: '',
      err: 'No such user\n',
    });
  });
});

describe('annals grant', () => {
  const account = async () => {
    await kernel.fence.reach(1 as RealmId);
    const facts = new UserFacts(kernel);
    return facts.account(1 as RealmId, (await facts.idByEmail(1 as RealmId, 'owner@example.com')) ?? 0);
  };

  it('takes a special permission and gives it back, written into the log', async () => {
    for (const [command, has] of [
      ['revoke', false],
      ['grant', true],
      ['grant', true],
    ] as const) {
      expect(await runCli(env, command, 'can_change_user_emails', 'Owner@example.com')).toEqual({
        out: `Owner@example.com ${has ? 'has' : 'does not have'} can_change_user_emails.\n`,
        err: '',
        code: 0,
        signal: null,
      });
      expect(await account()).toMatchObject({ canChangeUserEmails: has, canCreateUsers: true });
    }
    const facts = await kernel.events.page(1 as RealmId, 0, 10_000);
    expect(facts.filter(({ type }) => type === 'users.SpecialPermissionsChanged')).toHaveLength(2);
  });

  it('reports that no account has the address, or that the permission does not exist', async () => {
    expect(await runCli(env, 'grant', 'can_create_users', 'nobody@example.com')).toMatchObject({
      code: 1,
      out: 'No account has the email address nobody@example.com.\n',
    });
    expect(await runCli(env, 'grant', 'can_fly', 'owner@example.com')).toMatchObject({ code: 1, out: '' });
  });
});

describe('annals import-users', () => {
  const file = join(tmpdir(), `annals-import-${process.pid}.jsonl`);
  const imports = async (...lines: readonly unknown[]) => {
    await writeFile(file, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'));
    return runCli(env, 'import-users', file);
  };
  const people = async () => {
    const { rows } = await kernel.database.pool.query<{ delivery_email: string; role: number }>(
      'SELECT delivery_email, role FROM view.users WHERE is_imported AND awaits_login ORDER BY user_id',
    );
    return rows.map(({ delivery_email, role }) => [delivery_email, role]);
  };
  afterAll(() => rm(file, { force: true }));

  it('creates a stub for each line, and reports refused lines with the reason', async () => {
    const ann = { email: 'ann@example.com', full_name: 'Ann Example', password: 'a very good one' };
    const gus = { email: 'gus@example.com', full_name: 'Gus Guest', role: 600 };
    const run = await imports(ann, '', { email: 'OWNER@example.com', full_name: 'Another' }, gus);
    expect(run).toMatchObject({ code: 1, err: '' });
    expect(run.out).toMatch(
      /^ann@example.com: account \d+\nOWNER@example.com: Email is already in use.*\ngus@example.com: account \d+\n$/,
    );
    expect(await people()).toEqual([
      ['ann@example.com', 400],
      ['gus@example.com', 600],
    ]);
    expect(await imports({ email: 'bob@example.com', full_name: 'Bob' })).toMatchObject({ code: 0 });
  });

  it('imports no user when a line cannot be read', async () => {
    const before = await people();
    expect(await imports({ email: 'first@example.com', full_name: 'First One' }, 'no json')).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(/line 2 is not a JSON object/) as string,
      signal: null,
    });
    expect(await people()).toEqual(before);
  });
});

describe('annals jobs', () => {
  const end = { err: '', code: 0, signal: null };
  const none = { out: 'No job has failed.\n', ...end };

  it('lists failed jobs, and retries only those that are named', async () => {
    expect(await runCli(env, 'jobs', 'list', 'reminders')).toEqual(none);
    expect(await runCli(env, 'jobs', 'retry', 'reminders')).toMatchObject({
      code: 1,
      err: 'Give ids of jobs, or --all.\n',
    });
    expect(await runCli(env, 'jobs', 'retry', 'reminders', '--all')).toEqual(none);
  });

  it('runs what was given up again in whichever process works on it: what is named, then all', async () => {
    const queues = await kernel.queues();
    await queues.whenReachable(10_000);
    const runs = new CallRecorder<[string]>();
    let isBroken = true;
    queues.work('reminders', async ({ id }) => {
      runs.listener(id);
      if (isBroken) throw new Error('not now');
    });
    for (const [n, id] of ['due-1-7', 'due-1-8', 'due-1-9'].entries()) {
      while (!(await queues.add('reminders', id, { realmId: 1 }, { attempts: 1 })));
      while ((await queues.counts('reminders')).failed !== n + 1) await new Promise((resolve) => setImmediate(resolve));
    }
    const { out, ...rest } = await runCli(env, 'jobs', 'list', 'reminders', '--json');
    expect(rest).toEqual(end);
    const listed = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string; reason: string });
    expect(listed.map(({ id, reason }) => [id, reason])).toEqual([
      ['due-1-9', 'not now'],
      ['due-1-8', 'not now'],
      ['due-1-7', 'not now'],
    ]);
    isBroken = false;
    const retry = (...ids: string[]) => runCli(env, 'jobs', 'retry', 'reminders', ...ids);
    expect(await retry('due-1-8')).toEqual({ out: 'reminders due-1-8: runs again\n', ...end });
    await runs.atLeast(4);
    expect(await retry('due-1-8')).toMatchObject({ out: 'reminders due-1-8: no such job has failed\n', code: 1 });
    expect((await retry('--all')).out.split('\n').sort()).toEqual([
      '',
      'reminders due-1-7: runs again',
      'reminders due-1-9: runs again',
    ]);
    await runs.atLeast(6);
    expect(runs.calls.flat().sort()).toEqual(['7', '7', '8', '8', '9', '9'].map((n) => `due-1-${n}`));
    expect(await runCli(env, 'jobs', 'list')).toEqual(none);
  });
});

describe('annals push', () => {
  it('lists undelivered push notifications, newest first, and can retry them', async () => {
    const { pool } = kernel.database;
    await pool.query(`INSERT INTO push_errands (realm_id, position, kind, at, after_user, attempts, due_at, given_up)
      VALUES (1, 5, 'message', 1767225600000, 0, 9, 0, 'too old (broken)'),
        (1, 6, 'removal', 1767225660000, 0, 1, 0, 'BAD_REQUEST'), (1, 7, 'message', 1767225660000, 0, 0, 0, NULL)`);
    const end = { err: '', code: 0, signal: null };
    expect(await runCli(env, 'push', 'list')).toEqual({
      out:
        '2026-01-01T00:01:00.000Z realm 1, position 6, removal: BAD_REQUEST\n' +
        '2026-01-01T00:00:00.000Z realm 1, position 5, message: too old (broken)\n',
      ...end,
    });
    expect(await runCli(env, 'push', 'retry')).toEqual({ out: '2 will be tried again.\n', ...end });
    const { rows } = await pool.query('SELECT position, attempts, given_up FROM push_errands ORDER BY position');
    expect(rows).toEqual([5, 6, 7].map((position) => ({ position, attempts: 0, given_up: null })));
    expect(await runCli(env, 'push', 'list', '--json')).toEqual({ out: '', ...end });
    await pool.query('DELETE FROM push_errands');
  });
});

describe('annals resume', () => {
  it('lets a parked follower go on, and says when there is none', async () => {
    const { pool } = kernel.database;
    await pool.query(`INSERT INTO projection_checkpoints
      SELECT 1, name, generation, 3, 'parked', 0 FROM projections WHERE name = 'subjects'`);
    await pool.query(`INSERT INTO parked_events
      SELECT 1, name, generation, 4, 'not like this', 0 FROM projections WHERE name = 'subjects'`);
    expect((await runCli(env, 'status')).code).toBe(1);
    const lines: string[] = [];
    expect(await erase(kernel, 0, (line) => lines.push(line))).toBe(1);
    expect(lines).toEqual([
      'Nothing was erased, because the read model subjects is not up to date. See annals status.',
    ]);
    expect(await runCli(env, 'resume', 'subjects', '--realm', '2')).toMatchObject({
      code: 1,
      out: 'subjects is not parked in realm 2.\n',
    });
    expect(await runCli(env, 'resume', 'subjects')).toMatchObject({
      code: 0,
      out: 'subjects, realm 1: continues at position 4\n',
    });
    expect(await kernel.store.parked()).toEqual([]);
    const { rows } = await pool.query(`SELECT status FROM projection_checkpoints WHERE projection = 'subjects'`);
    expect(rows).toEqual([{ status: 'running' }]);
  });
});

describe('annals erase', () => {
  it('forgets what was deleted long enough ago, or now, though no worker runs, and nobody whom it is told to', async () => {
    const ann = await new UserFacts(kernel).idByEmail(1 as RealmId, 'ann@example.com');
    const origin = { client: 'spec', correlation: '00000000-0000-4000-8000-000000000001', address: null };
    await kernel.work.run({ realmId: 1 as RealmId, userId: null, origin }, async (work) =>
      work.append(`user-${ann}`, [fact(ProfileDeleted, { userId: ann as UserId })]),
    );
    const wordsOf = async () =>
      (await kernel.events.page(1 as RealmId, 0, 10_000)).flatMap(({ stream, sealed }) =>
        stream === `user-${ann}` && sealed !== null ? [sealed] : [],
      );
    const written = [{ email: 'ann@example.com', fullName: 'Ann Example' }];
    const end = { err: '', code: 0, signal: null };
    expect(await runCli(env, 'erase')).toEqual({ out: 'Nothing has to be erased.\n', ...end });
    expect(await runCli(env, 'erase', 'ann@example.com', '--now')).toMatchObject({ code: 1, out: '' });
    expect(await wordsOf()).toEqual(written);
    expect(await runCli(env, 'erase', '--now')).toEqual({
      out: '1 deletions: the text of 1 events was erased.\n',
      ...end,
    });
    expect(await wordsOf()).toEqual(['erased']);
    const lines: string[] = [];
    expect(await erase(kernel, 0, (line) => lines.push(line))).toBe(0);
    expect(lines).toEqual(['Nothing has to be erased.']);
  });
});
