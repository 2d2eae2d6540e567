import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GroupId, Instant, RealmId } from '@annals/kernel/domain';
import { ManualClock, Role } from '@annals/kernel/domain';
import { deactivateOrganization, limitOrganization, reactivateOrganization } from '@annals/realm';
import type { FakeEntry } from '../../support/ldap/fake-directory';
import { FakeDirectory } from '../../support/ldap/fake-directory';
import { runCli } from '../../support/processes/cli';
import { picture } from '../../support/requests/pictures';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';
import type { TestFolder } from '../../support/server/test-folder';
import { createTestFolder } from '../../support/server/test-folder';

const REALM = 1 as RealmId;
const FULL =
  'The history of this organization has reached its limit of 0 MiB. Until there is room, a run only deactivates accounts.';
const SERVICE = { dn: 'cn=annals,dc=example,dc=com', password: 'login of the server', attributes: {} };
const BASE = 'ou=people,dc=example,dc=com';
const MINUTE_MS = 60_000;

let directory: FakeDirectory;
let folder: TestFolder;
let server: TestServer;
let env: Record<string, string>;

beforeAll(async () => {
  directory = await FakeDirectory.start();
  folder = await createTestFolder();
  const file = join(folder.path, 'sign-on.json');
  writeFileSync(file, JSON.stringify({ ldap: { company: settings() } }));
  // Commands run in the present.
  const clock = new ManualClock(Date.now() as Instant);
  server = await startTestServer({ clock, env: { ANNALS_SIGN_ON_FILE: file } });
  env = { DATABASE_URL: server.databaseUrl, ANNALS_DATA_DIR: server.dataDir, ANNALS_SIGN_ON_FILE: file };
});
beforeEach(() => {
  directory.fault = null;
});
afterAll(async () => {
  await server.close();
  await directory.stop();
  await folder.drop();
});

const settings = () => ({
  servers: [directory.url],
  bind_dn: SERVICE.dn,
  bind_password: SERVICE.password,
  search_base: BASE,
  search_filter: '(&(objectClass=person)(uid=%(user)s))',
  attributes: {
    avatar: 'jpegPhoto',
    deactivated: 'nsAccountLock',
    custom_profile_fields: { Phone: 'telephoneNumber', Missing: 'x' },
  },
  roles: { administrator: ['admins'], moderator: ['cn=moderators, ou=groups'] },
  user_groups: { 'cn=dev,ou=groups': 'developers', unknown: 'nowhere' },
  synchronization: { every_minutes: 60, max_deactivated_percent: 40 },
  timeout_seconds: 5,
});

const entryOf = ({ email }: Pick<Person, 'email'>, more: FakeEntry['attributes'] = {}): FakeEntry => {
  const [uid = ''] = email.split('@');
  const who = { objectClass: ['person'], uid: [uid], mail: [email], cn: [`Name of ${uid}`], entryUUID: [`id-${uid}`] };
  return { dn: `uid=${uid},${BASE}`, attributes: { ...who, ...more } };
};

/** Entries of people who are there all the time. */
let others: readonly FakeEntry[] = [];
const list = (...entries: readonly FakeEntry[]) => void (directory.entries = [SERVICE, ...others, ...entries]);

/** The next run that is due. */
const follow = async (...entries: readonly FakeEntry[]): Promise<void> => {
  list(...entries);
  server.clock.advance(61 * MINUTE_MS);
  await server.followDirectories();
};

const userOf = async ({ id }: Pick<Person, 'id'>) => {
  const asked = { include_custom_profile_fields: true, client_gravatar: false };
  return granted(await server.owner.get<{ user: Record<string, unknown> }>(`/users/${id}`, asked)).user;
};

const runs = async () => {
  interface Row {
    readonly outcome: string;
    readonly reason: string | null;
    readonly counts: string;
    readonly finished_at: number | null;
  }
  const { rows } = await server.kernel.database.pool.query<Row>(
    'SELECT outcome, reason, counts, finished_at FROM directory_runs ORDER BY started_at DESC',
  );
  return rows;
};

const head = async () => [...(await server.kernel.events.heads()).values()];

describe('the accounts of an organization with a directory', () => {
  let ada: Person;
  let bob: Person;
  let local: Person;
  let phone: number;
  let group: GroupId;
  beforeAll(async () => {
    // A directory does not know that a guest first becomes a member.
    [ada, bob, local] = [await server.person({ role: 'guest' }), await server.person(), await server.person()];
    const field = { name: 'Phone', hint: '', field_type: 1 };
    phone = granted(await server.owner.post<{ id: number }>('/realm/profile_fields', field)).id;
    const created = { name: 'developers', description: '', members: [bob.id, local.id] };
    group = granted(await server.owner.post<{ group_id: GroupId }>('/user_groups/create', created)).group_id;
  });

  /** The accounts that stay for the specs that follow. */
  afterAll(() => void (others = [entryOf(ada), entryOf(bob)]));

  const members = async () =>
    granted(await server.owner.get<{ members: number[] }>(`/user_groups/${group}/members`)).members;

  it('get name, role, groups, profile and picture from it, and others are left alone', async () => {
    const jpegPhoto = [Buffer.from(await picture('jpeg'))];
    const memberOf = ['CN=Dev, OU=Groups', 'cn=admins,ou=groups'];
    const before = await userOf(local);
    await follow(entryOf(ada, { jpegPhoto, memberOf, telephoneNumber: ['123'] }), entryOf(bob));
    const user = await userOf(ada);
    expect(user).toMatchObject({ full_name: `Name of ${ada.email.split('@')[0] ?? ''}`, role: Role.administrator });
    expect(user).toMatchObject({ profile_data: { [phone]: { value: '123' } } });
    expect(user['avatar_url']).toMatch(/^\/user_avatars\//);
    expect((await members()).sort()).toEqual([ada.id, local.id].sort());
    expect(await userOf(local)).toEqual(before);
    expect(await runs()).toMatchObject([{ outcome: 'done', reason: null }, ...(await runs()).slice(1)]);
  });

  it('do not change again while the directory does not change, and a run tells what it did', async () => {
    const [run] = await runs();
    expect(JSON.parse(run?.counts ?? '')).toMatchObject({
      ...{ linked: 2, suspended: 0, restored: 0, renamed: 2, rolesChanged: 1 },
      ...{ membershipsChanged: 2, profilesChanged: 1, picturesTaken: 1, problems: 2 },
    });
    const before = await head();
    server.clock.advance(61 * MINUTE_MS);
    await server.followDirectories();
    expect(await head()).toEqual(before);
    expect(await runs()).toHaveLength(3);
    await server.followDirectories();
    expect(await runs()).toHaveLength(3);
  });

  it('show in a dry run what would change, and do not change', async () => {
    list(entryOf(ada, { cn: ['Ada Again'], nsAccountLock: ['FALSE'] }), entryOf(bob, { nsAccountLock: ['TRUE'] }));
    const before = await head();
    const { out, code } = await runCli(env, 'ldap', 'sync', '--dry-run');
    expect(out.split('\n')).toEqual([
      'Organization 1, directory company',
      `  ${ada.email}: name "Ada Again"`,
      `  ${ada.email}: role member`,
      `  ${ada.email}: leaves "developers"`,
      `  ${ada.email}: field "Phone" removed`,
      `  ${bob.email}: deactivated, the entry is disabled`,
      '  problem with nowhere: there is no active user group with this name',
      '  problem with Missing: there is no custom profile field with this name',
      '  would change: 1 deactivated, 1 renamed, 1 role, 1 group membership, 1 profile, 2 problems',
      '',
    ]);
    expect(code).toBe(0);
    expect(await head()).toEqual(before);
    expect(await runs()).toHaveLength(3);
  });
});

describe('an account whose entry is disabled or gone', () => {
  let cyd: Person;
  let dan: Person;
  beforeAll(async () => {
    [cyd, dan] = [await server.person(), await server.person()];
    await follow(entryOf(cyd), entryOf(dan));
  });

  it('ends with its keys and open polls, and works again with a new login when the entry is back', async () => {
    const queue = granted(await cyd.post<{ queue_id: string }>('/register', { event_types: ['realm'] })).queue_id;
    const poll = cyd.get('/events', { queue_id: queue, last_event_id: -1 });
    await follow(entryOf(cyd, { nsAccountLock: ['TRUE'] }), entryOf(dan));
    expect((await runs())[0]).toMatchObject({ outcome: 'done' });
    expect((await poll).status).not.toBe(200);
    expect((await cyd.get('/users/me')).status).toBe(401);
    expect(await userOf(cyd)).toMatchObject({ is_active: false });
    await follow(entryOf(cyd), entryOf(dan));
    expect(await userOf(cyd)).toMatchObject({ is_active: true });
    expect((await cyd.get('/users/me')).status).toBe(401);
    const login = { username: cyd.email, password: cyd.password };
    expect((await server.anonymous.post('/fetch_api_key', login)).status).toBe(200);
  });

  it('is deactivated when it is gone, and an administrator has the last word about reactivation', async () => {
    await follow(entryOf(cyd));
    expect(await userOf(dan)).toMatchObject({ is_active: false });
    granted(await server.owner.post(`/users/${dan.id}/reactivate`));
    granted(await server.owner.delete(`/users/${dan.id}`));
    await follow(entryOf(cyd), entryOf(dan));
    expect(await userOf(dan)).toMatchObject({ is_active: false });
  });

  it('is left alone when too many would go, unless an operator insists', async () => {
    granted(await server.owner.post(`/users/${dan.id}/reactivate`));
    await follow(entryOf(cyd), entryOf(dan));
    await follow();
    expect((await runs())[0]).toMatchObject({
      outcome: 'refused',
      reason: expect.stringContaining('accounts would be') as string,
    });
    expect(await userOf(cyd)).toMatchObject({ is_active: true });
    const refused = await runCli(env, 'ldap', 'sync', '--dry-run');
    expect(refused).toMatchObject({ code: 1, out: expect.stringContaining('--force does it all the same') as string });
    const forced = await runCli(env, 'ldap', 'sync', '--force');
    expect(forced).toMatchObject({ code: 0, out: expect.stringContaining('2 deactivated') as string });
    expect(await userOf(cyd)).toMatchObject({ is_active: false });
  });
});

describe('a run while the log is full', () => {
  it('only deactivates accounts and says so, also in a dry run, and a later one makes the rest', async () => {
    const [fay, gus] = [await server.person(), await server.person()];
    await follow(entryOf(fay), entryOf(gus));
    const { full_name: before } = await userOf(fay);
    await limitOrganization(server.kernel, REALM, { logMib: 0 });
    const changed = { cn: ['Fay Again'], jpegPhoto: [Buffer.from(await picture('jpeg'))] };
    const entries = [entryOf(fay, changed), entryOf(gus, { nsAccountLock: ['TRUE'] })];
    list(...entries);
    const { out, code } = await runCli(env, 'ldap', 'sync', '--dry-run');
    expect(out.split('\n')).toEqual([
      'Organization 1, directory company',
      `  ${gus.email}: deactivated, the entry is disabled`,
      expect.stringContaining('problem with'),
      expect.stringContaining('problem with'),
      `  refused: ${FULL}`,
      '',
    ]);
    expect(code).toBe(1);
    await follow(...entries);
    expect((await runs())[0]).toMatchObject({ outcome: 'refused', reason: FULL });
    expect(await userOf(gus)).toMatchObject({ is_active: false });
    expect(await userOf(fay)).toMatchObject({ full_name: before });
    await limitOrganization(server.kernel, REALM, { logMib: null });
    await follow(...entries);
    expect((await runs())[0]).toMatchObject({ outcome: 'done' });
    expect(await userOf(fay)).toMatchObject({ full_name: 'Fay Again', avatar_version: 2 });
  });
});

describe('a run', () => {
  it('changes nothing when the directory is away, and says so', async () => {
    const before = await head();
    directory.fault = (request, socket) => {
      if (request === 'search') socket.destroy();
      return request === 'search' ? 'done' : null;
    };
    server.clock.advance(61 * MINUTE_MS);
    await server.followDirectories();
    expect((await runs())[0]).toMatchObject({ outcome: 'failed' });
    expect(await head()).toEqual(before);
    const { code, out } = await runCli(env, 'ldap', 'sync');
    expect({ code, out }).toMatchObject({ code: 1, out: expect.stringContaining('failed: ') as string });
  });

  it('is made again at once if its process ended', async () => {
    await server.kernel.database.pool.query('UPDATE directory_runs SET finished_at = NULL');
    list();
    await server.followDirectories();
    const [newest, ...others] = await runs();
    expect(newest?.finished_at).not.toBeNull();
    expect(others.filter(({ finished_at }) => finished_at !== null)).toEqual([]);
  });

  it('is of an organization that exists', async () => {
    const of = (name: string) =>
      runCli({ ...env, ANNALS_URL: server.url }, 'ldap', 'sync', '--dry-run', '--organization', name);
    expect(await of('nobody')).toMatchObject({ code: 1, err: 'There is no organization nobody.\n' });
    const named = await of('127.0.0.1');
    expect(named.out).toContain(`Organization ${REALM}, directory company`);
  });

  it('leaves a deactivated organization alone, and continues when it is active again', async () => {
    const before = await runs();
    await deactivateOrganization(server.kernel, REALM);
    server.clock.advance(61 * MINUTE_MS);
    await server.followDirectories();
    expect(await runs()).toEqual(before);
    const named = await runCli(env, 'ldap', 'sync', '--organization', String(REALM));
    expect(named).toMatchObject({ code: 1, err: 'Organization 1 is deactivated.\n' });
    expect(await runs()).toEqual(before);
    await reactivateOrganization(server.kernel, REALM);
    await server.followDirectories();
    expect(await runs()).toHaveLength(before.length + 1);
  });
});
