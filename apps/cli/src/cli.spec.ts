import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Kernel } from '@annals/kernel';
import { kernelContext } from '@annals/kernel';
import type { Fact, RealmId } from '@annals/kernel/domain';
import { runCli } from '../../../test/support/processes/cli';
import type { CliInstallation } from '../../../test/support/processes/cli-installation';
import { openCliInstallation } from '../../../test/support/processes/cli-installation';
import { CallRecorder } from '../../../test/support/events/call-recorder';
import { erase } from './commands/erase';

/** Far more text than a pipe can hold. */
const EVENTS = 2_000;

let installation: CliInstallation;
let kernel: Kernel;
let env: CliInstallation['env'];
beforeAll(async () => {
  installation = await openCliInstallation();
  ({ kernel, env } = installation);
  const [definition] = kernelContext.events;
  const one: Fact = { type: definition?.type ?? '', data: {}, sealed: null };
  const origin = { client: 'spec', correlation: '00000000-0000-4000-8000-000000000001', address: null };
  await kernel.work.run({ realmId: 1 as RealmId, userId: null, origin }, async (work) =>
    work.append(
      'log',
      Array.from({ length: EVENTS }, () => one),
    ),
  );
});
afterAll(() => installation.close());

/** A command line of a shell, where `annals` is the program and its exit code is printed on standard error. */
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

  it('annals status | true succeeds without a message', async () => {
    expect(await shell('annals status | true')).toEqual({ out: '', err: 'exit code 0\n' });
  });

  if (existsSync('/dev/full'))
    it('reports a write that failed for another reason', async () => {
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
  it('resumes a parked follower, and reports when there is none', async () => {
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
