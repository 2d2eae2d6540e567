import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kernel } from '@annals/kernel';
import type { RealmId, UserId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { systemActor } from '@annals/kernel';
import { KnownApiKeys, ProfileDeleted, TwoFactorsBegan, UserFacts } from '@annals/users';
import { runCli } from '../../../test/support/processes/cli';
import type { CliInstallation } from '../../../test/support/processes/cli-installation';
import { openCliInstallation } from '../../../test/support/processes/cli-installation';
import { erase } from './commands/erase';

let installation: CliInstallation;
let kernel: Kernel;
let env: CliInstallation['env'];
beforeAll(async () => {
  installation = await openCliInstallation();
  ({ kernel, env } = installation);
});
afterAll(() => installation.close());

describe('annals key', () => {
  it('issues one more key, written into the log, and prints nothing else', async () => {
    const { out, ...end } = await runCli(env, 'key', 'Owner@example.com');
    expect(end).toEqual({ err: '', code: 0, signal: null });
    expect(out).toMatch(/^[A-Za-z0-9]{32}\n$/);
    expect((await kernel.events.page(1 as RealmId, 0, 10_000)).at(-1)).toMatchObject({ type: 'users.ApiKeyIssued' });
    const credentials = new KnownApiKeys(kernel);
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

  it('removes a special permission and gives it back, recorded in the log', async () => {
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

describe('annals people end-two-factors', () => {
  const end = (email: string, ...more: string[]) => runCli(env, 'people', 'end-two-factors', email, ...more);

  it('lets somebody log in with the password alone, recorded in the log', async () => {
    const userId = (await new UserFacts(kernel).idByEmail(1 as RealmId, 'owner@example.com')) as UserId;
    await kernel.work.run(systemActor(1 as RealmId), async (work) =>
      work.append(`two-factors-${userId}`, [fact(TwoFactorsBegan, { userId, recoveryCodes: 10 })]),
    );
    expect(await end('Owner@example.com', '--organization', '1')).toEqual({
      out: 'The password of Owner@example.com is enough to log in again.\n',
      err: '',
      code: 0,
      signal: null,
    });
    const last = (await kernel.events.page(1 as RealmId, 0, 10_000)).at(-1);
    expect(last).toMatchObject({ type: 'users.TwoFactorsEnded', data: { userId }, actorId: null });
    expect(await end('owner@example.com')).toMatchObject({ code: 1, out: '', err: 'Logins need no code.\n' });
  });

  it('reports that no account has the address', async () => {
    const nobody = { code: 1, out: 'No account has the email address nobody@example.com.\n', err: '' };
    expect(await end('nobody@example.com')).toMatchObject(nobody);
    expect(await end('owner@example.com', '--organization', 'nowhere')).toMatchObject({
      code: 1,
      err: 'There is no organization nowhere.\n',
    });
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

describe('the organization that a command about accounts names', () => {
  const email = 'ada@garden.example.com';
  const run = (...args: readonly string[]) => runCli({ ...env, ANNALS_URL: 'https://chat.example.com' }, ...args);
  const inGarden = (...args: readonly string[]) => run(...args, '--organization', 'garden');

  it('has the account', async () => {
    expect((await run('organizations', 'create', 'garden', '--owner', email)).code).toBe(0);
    const granting = ['grant', 'can_create_users', email];
    expect(await run(...granting)).toMatchObject({ code: 1 });
    expect(await inGarden(...granting)).toMatchObject({ code: 0 });
    expect(await run('key', email)).toMatchObject({ code: 1 });
    expect((await inGarden('key', email)).out).toMatch(/^[A-Za-z0-9]{32}\n$/);
  });

  it('gets the people of a list', async () => {
    const file = join(tmpdir(), `annals-import-garden-${process.pid}.jsonl`);
    const lineOf = (address: string, full_name: string) => JSON.stringify({ email: address, full_name });
    const reserved = 'user7@garden.chat.example.com';
    const lines = [lineOf('grace@example.com', 'Grace Hopper'), lineOf(reserved, 'Nobody')];
    // Accounts of the organization have placeholders below its own host name.
    lines.push(lineOf('user7@chat.example.com', 'Seven'));
    await writeFile(file, lines.join('\n'));
    const { out, err } = await inGarden('import-users', file);
    expect(err).toBe('');
    expect(out.split('\n').map((one) => one.replace(/account \d+/, 'has an account'))).toEqual([
      'grace@example.com: has an account',
      `${reserved}: Addresses like this one stand for accounts of this organization`,
      'user7@chat.example.com: has an account',
      '',
    ]);
    await rm(file);
    expect(await run('key', 'grace@example.com')).toMatchObject({ code: 1 });
    expect(await inGarden('key', 'grace@example.com')).toMatchObject({ code: 0 });
  });
});

describe('annals erase', () => {
  it('erases what was deleted long enough ago, or now, without a worker', async () => {
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
      out: expect.stringMatching(
        /^1 deletions: the text of 1 events was erased\.\nCopies that PostgreSQL had of erased texts were removed: \d+ tables, \d+ indexes\.\n$/,
      ) as string,
      ...end,
    });
    expect(await wordsOf()).toEqual(['erased']);
    const lines: string[] = [];
    expect(await erase(kernel, 0, (line) => lines.push(line))).toBe(0);
    expect(lines).toEqual(['Nothing has to be erased.']);
  });
});
