import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kernel } from '@annals/kernel';
import { DAY_MS } from '@annals/kernel/domain';
import { findOrganization } from '@annals/onboarding';
import { KnownApiKeys, MailedTokens, UserFacts } from '@annals/users';
import { runCli } from '../../../test/support/processes/cli';
import type { CliInstallation } from '../../../test/support/processes/cli-installation';
import { openCliInstallation } from '../../../test/support/processes/cli-installation';
import { secrets } from '../../../test/support/laws/secrets';

let installation: CliInstallation;
let kernel: Kernel;
let env: CliInstallation['env'];
beforeAll(async () => {
  installation = await openCliInstallation();
  ({ kernel } = installation);
  env = { ...installation.env, ANNALS_URL: 'https://chat.example.com' };
});
afterAll(() => installation.close());

const run = (...args: readonly string[]) => runCli(env, 'organizations', ...args);
const create = (subdomain: string, ...options: readonly string[]) =>
  run('create', subdomain, '--owner', `owner@${subdomain}.example.com`, ...options);
const organization = async (named: string) => {
  const found = await findOrganization(kernel, named);
  if (!found) throw new Error(`there is no organization ${named}`);
  return found;
};
const typesOf = async (named: string) => {
  const events = await kernel.events.page((await organization(named)).id, 0, 1_000);
  return events.map(({ type, actorId }) => (actorId === null ? type : `${type} by ${actorId}`));
};

describe('annals organizations create', () => {
  it('makes an organization with its owner, whose key works there only', async () => {
    const { out, err, code } = await create('garden', '--name', 'Garden club', '--host', 'garden.example.org');
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('Created the organization Garden club at https://garden.chat.example.com.');
    const [, key = ''] = /^API key: ([A-Za-z0-9]{32}) \(not shown again\)$/m.exec(out) ?? [];
    secrets.add('key', key);
    expect(out).toContain('Next: let garden.chat.example.com and garden.example.org lead to this server');
    const link = 'https://garden.chat.example.com/accounts/password/reset/';
    const [, token = ''] = new RegExp(`: ${link}([0-9]+-[A-Za-z0-9]{32})$`, 'm').exec(out) ?? [];
    secrets.add('link', token, true);
    const { id, hosts } = await organization('garden');
    expect(hosts).toEqual(['garden.example.org']);
    await kernel.fence.reach(id);
    const owner = await new UserFacts(kernel).idByEmail(id, 'owner@garden.example.com');
    expect(await new MailedTokens(kernel).owner(id, 'password-reset', token)).toBe(owner);
    const keys = new KnownApiKeys(kernel);
    expect(owner && (await keys.accept(id, owner, key))).toEqual(expect.any(Number));
    expect(await keys.accept((await organization('')).id, owner ?? (0 as never), key)).toBeUndefined();
  });

  it.each(['http://192.0.2.1:9991', 'https://[2001:db8::1]'])('makes none below the address %s', async (url) => {
    const at = { ...env, ANNALS_URL: url };
    const { code, out, err } = await runCli(at, 'organizations', 'create', 'low', '--owner', 'me@example.com');
    expect([code, out, err]).toEqual([1, '', expect.stringContaining('Set ANNALS_URL to an address with a host name')]);
    expect(await findOrganization(kernel, 'low')).toBeUndefined();
    const renamed = await runCli(at, 'organizations', 'rename', 'garden', '--subdomain', 'low');
    expect([renamed.code, renamed.err]).toEqual([1, expect.stringContaining('Set ANNALS_URL')]);
    expect(await findOrganization(kernel, 'garden')).toBeDefined();
  });

  it('makes them below localhost where no address is set', async () => {
    const here = { ...installation.env, PORT: '9991' };
    const made = await runCli(here, 'organizations', 'create', 'shed', '--owner', 'me@example.com');
    const [, key = ''] = /^API key: (\w{32}) /m.exec(made.out) ?? [];
    secrets.add('key', key);
    const [, link = ''] = /: http:\/\/shed\.localhost:9991\/accounts\/password\/reset\/([\w-]+)$/m.exec(made.out) ?? [];
    secrets.add('link', link, true);
    expect([made.code, made.err, link]).toEqual([0, '', expect.stringMatching(/^\d+-\w{32}$/)]);
    expect(made.out).toMatch(/^Created the organization shed at http:\/\/shed\.localhost:9991\.$/m);
    expect(made.out).not.toContain('certificate');
    const renamed = await runCli(here, 'organizations', 'rename', 'shed.localhost', '--subdomain', 'hut');
    expect(renamed).toMatchObject({ code: 0, out: expect.stringContaining('http://hut.localhost:9991.') as string });
  });

  it('takes password and key from files, and shows neither', async () => {
    const [password, key] = [
      join(tmpdir(), `annals-password-${process.pid}`),
      join(tmpdir(), `annals-key-${process.pid}`),
    ];
    await writeFile(password, 'a password for the orchard\n');
    await writeFile(key, `${'k3y'.padEnd(32, 'Z')}\n`);
    secrets.add('key', 'k3y'.padEnd(32, 'Z'));
    secrets.add('password', 'a password for the orchard');
    const { out, code } = await create('orchard', '--password-file', password, '--key-file', key, '--json');
    expect([code, JSON.parse(out)]).toEqual([
      0,
      {
        subdomain: 'orchard',
        url: 'https://orchard.chat.example.com',
        ownerEmail: 'owner@orchard.example.com',
        apiKey: null,
        passwordLink: null,
      },
    ]);
    await Promise.all([rm(password), rm(key)]);
  });

  it.each([
    [['Garden_Club', '--owner', 'o@example.com'], "Subdomain can only have lowercase letters, numbers, and '-'s.\n"],
    [['www', '--owner', 'o@example.com'], 'Subdomain reserved. Please choose a different one.\n'],
    [['garden', '--owner', 'o@example.com'], 'Subdomain is already in use. Please choose a different one.\n'],
    [['meadow', '--owner', 'nobody'], 'nobody is not an email address.\n'],
    [['meadow', '--owner', 'o@example.com', '--name', '\n'], 'The name must have 1 to 40 characters, in one line.\n'],
    [
      ['meadow', '--owner', 'o@example.com', '--host', 'garden.example.org'],
      'garden.example.org already means an organization.\n',
    ],
    [
      ['meadow', '--owner', 'o@example.com', '--host', 'x.chat.example.com'],
      'x.chat.example.com is the host name of this server or below it. Such a name is a subdomain, and cannot be added.\n',
    ],
    [['meadow', '--owner', 'o@example.com', '--host', 'localhost'], 'localhost is not a host name.\n'],
    [['meadow', '--owner', 'o@example.com', '--host', 'a.example:80'], 'a.example:80 is not a host name.\n'],
    [['meadow', '--owner', 'o@example.com', '--host', 'a.example/b'], 'a.example/b is not a host name.\n'],
    [['a'.repeat(64), '--owner', 'o@example.com'], 'Subdomain can have 63 characters at most.\n'],
  ])('refuses %j', async (args, why) => {
    expect(await run('create', ...args)).toMatchObject({ out: '', err: why, code: 1 });
    expect(await findOrganization(kernel, 'meadow')).toBeUndefined();
  });
});

describe('annals organizations list', () => {
  it('shows people, messages, storage, size of the log, limits and state', async () => {
    await run('limits', 'garden', '--people', '5', '--log-mib', '7');
    const { out } = await run('list');
    expect(out).toMatch(/^Garden club \(realm 2\): active since \d{4}-\d\d-\d\d$/m);
    expect(out).toMatch(/^ {2}https:\/\/garden\.chat\.example\.com, garden\.example\.org$/m);
    expect(out).toMatch(/^ {2}1 of 5 people, 0 messages, 0\.0 MiB of files, 0\.0 of 7 MiB of log$/m);
    const listed = (await run('list', '--json')).out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(listed.map(({ subdomain }) => subdomain)).toEqual(['', 'garden', 'hut', 'orchard']);
    expect(listed[1]).toMatchObject({
      name: 'Garden club',
      state: 'active',
      people: 1,
      messages: 0,
      storage: 0,
      limits: { people: 5, logMib: 7 },
      log: expect.any(Number) as number,
      deleteAt: null,
    });
    const removed = await run('limits', 'garden', '--people', 'none', '--log-mib', 'none');
    expect(removed).toMatchObject({ code: 0, out: 'Garden club (realm 2) may have as much as it wants.\n' });
  });
});

describe('the name of an organization', () => {
  it('is nobody’s when it is empty, as that of a variable which was not set', async () => {
    for (const empty of ['', ' ', '.'])
      expect(await run('deactivate', empty)).toMatchObject({ code: 1, out: `There is no organization ${empty}.\n` });
  });

  it('is refused when it means two', async () => {
    expect((await create('002')).code).toBe(0);
    expect((await create('100')).code).toBe(0);
    const { id } = await organization('100');
    await kernel.database.pool.query(`UPDATE view.organization_subdomains SET subdomain = $1 WHERE subdomain = '002'`, [
      String(id),
    ]);
    const why = `${id} means two organizations. Give the host name of the one that you mean.\n`;
    expect(await run('deactivate', String(id))).toMatchObject({ code: 1, err: why });
    expect((await run('limits', `${id}.chat.example.com`)).code).toBe(0);
  });
});

describe('annals organizations limits', () => {
  it.each([
    [['--people', 'many'], 'It must be a whole number.'],
    [['--people=-1'], 'It must be a whole number.'],
    [['--requests', '0'], 'Nobody could use the organization: deactivate it instead.'],
  ])('refuses %j', async (args, why) => {
    const { code, err } = await run('limits', 'garden', ...args);
    expect([code, err]).toEqual([1, expect.stringMatching(new RegExp(`^error: .*${why}\n$`))]);
  });
});

describe('--realm of a command about logs', () => {
  it.each(['garden', 'Garden.example.org', 'garden.chat.example.com', 'its number'])(
    'takes %s for the organization',
    async (named) => {
      const { id } = await organization('garden');
      const realm = named === 'its number' ? String(id) : named;
      const { out, code } = await runCli(env, 'verify', '--realm', realm);
      expect([code, out.trim().split('\n')]).toEqual([0, [expect.stringContaining(`ealm ${id}`)]]);
    },
  );

  it('takes no name of nobody', async () => {
    const nobody = { code: 1, out: '', err: 'There is no organization nowhere.\n' };
    expect(await runCli(env, 'verify', '--realm', 'nowhere')).toMatchObject(nobody);
    expect(await runCli(env, 'resume', 'messages', '--realm', 'nowhere')).toMatchObject(nobody);
  });
});

describe('annals organizations without a database', () => {
  it('says so in one line', async () => {
    const away = { ...env, DATABASE_URL: 'postgres://127.0.0.1:1/none' };
    const { code, out, err } = await runCli(away, 'organizations', 'list');
    expect([code, out, err.trim().split('\n').length]).toEqual([1, '', 1]);
    expect(err).toContain('ECONNREFUSED');
  });
});

describe('annals organizations rename', () => {
  it('changes name and subdomain, and the old subdomain becomes free', async () => {
    await create('old-name');
    const { out, code } = await run('rename', 'old-name', '--name', 'New', '--subdomain', 'new-name');
    expect([code, out]).toEqual([0, expect.stringMatching(/^New \(realm \d+\) is at https:\/\/new-name\.chat/)]);
    expect(await findOrganization(kernel, 'old-name')).toBeUndefined();
    expect((await typesOf('new-name')).slice(-2)).toEqual(['realm.SettingsChanged', 'realm.SubdomainChanged']);
    expect((await create('old-name')).code).toBe(0);
    const back = await run('rename', 'new-name', '--subdomain', 'old-name');
    expect(back).toMatchObject({ code: 1, err: 'Subdomain is already in use. Please choose a different one.\n' });
  });

  it('leaves the organization at the host of the server where it is', async () => {
    const { code, err } = await run('rename', 'chat.example.com', '--subdomain', 'elsewhere');
    expect([code, err]).toEqual([1, 'This organization is at the host name of the server itself.\n']);
  });

  it('needs something to change, and an organization', async () => {
    expect((await run('rename', 'garden')).code).toBe(1);
    const nobody = { code: 1, out: 'There is no organization nowhere.\n' };
    expect(await run('rename', 'nowhere', '--name', 'x')).toMatchObject(nobody);
  });
});

describe('annals organizations add-host and remove-host', () => {
  it('give a host name to one organization only', async () => {
    expect((await run('add-host', 'garden', 'Talk.Example.org')).code).toBe(0);
    const other = await run('add-host', 'orchard', 'talk.example.org');
    expect(other).toMatchObject({ code: 1, err: 'talk.example.org already means an organization.\n' });
    expect((await organization('talk.example.org')).subdomain).toBe('garden');
    expect((await run('remove-host', 'garden', 'talk.example.org')).code).toBe(0);
    expect((await run('add-host', 'orchard', 'talk.example.org')).code).toBe(0);
    expect((await run('add-host', 'orchard', 'gespräch.Example.org.')).code).toBe(0);
    expect((await organization('orchard')).hosts).toEqual(['talk.example.org', 'xn--gesprch-9wa.example.org']);
    expect((await run('limits', 'Gespräch.example.org')).code).toBe(0);
    const missing = await run('remove-host', 'garden', 'talk.example.org');
    expect(missing).toMatchObject({ code: 1, err: 'This organization is not at talk.example.org.\n' });
  });
});

describe('annals organizations deactivate, reactivate and delete', () => {
  it('are recorded with the server as the actor, and can be repeated', async () => {
    for (const command of ['deactivate', 'deactivate', 'reactivate', 'reactivate'])
      expect((await run(command, 'orchard')).code).toBe(0);
    expect((await typesOf('orchard')).slice(-2)).toEqual(['realm.Deactivated', 'realm.Reactivated']);
  });

  it('say when it is deleted, and take it back', async () => {
    const { out, code } = await run('delete', 'orchard', '--after-days', '10');
    const day = new Date(Date.now() + 10 * DAY_MS).toISOString().slice(0, 7);
    expect([code, out]).toEqual([0, expect.stringContaining(`will be deleted on ${day}`)]);
    expect((await run('list')).out).toMatch(/deactivated on .*, to be deleted on /);
    expect((await run('reactivate', 'orchard')).code).toBe(0);
    expect(await organization('orchard')).toMatchObject({ deactivatedAt: null, deleteAt: null });
  });

  it('count what would go, and change nothing', async () => {
    const before = await typesOf('garden');
    const data = await mkdtemp(join(tmpdir(), 'annals-organizations-'));
    await mkdir(join(data, 'mail'));
    for (const realm of [2, 3]) await writeFile(join(data, `mail/2026-01-01T00-00-00-${realm}-a.eml`), 'Subject: Hi');
    const here = { ...env, ANNALS_DATA_DIR: data };
    const { out, code } = await runCli(here, 'organizations', 'delete', 'garden', '--dry-run');
    await rm(data, { recursive: true });
    expect(code).toBe(0);
    expect(out).toMatch(/^Of Garden club \(realm 2\) would be deleted:$/m);
    expect(out).toMatch(/^ {2}\d+ rows of events_\d+$/m);
    expect(out).toMatch(/^ {2}2 rows of view_users_\d+\.users$/m);
    expect(out).toMatch(/^ {2}0 files of 0 bytes$/m);
    expect(out).toContain(`  1 mails of 11 bytes in ${join(data, 'mail')}\n`);
    expect(await typesOf('garden')).toEqual(before);
  });

  it('take no grace period beyond ten years', async () => {
    const { code, err } = await run('delete', 'garden', '--after-days', '3651');
    expect([code, err]).toEqual([1, 'The grace period can have 3650 days at most.\n']);
  });
});
