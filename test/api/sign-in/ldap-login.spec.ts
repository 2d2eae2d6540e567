import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RealmId } from '@annals/kernel/domain';
import { Role } from '@annals/kernel/domain';
import { limitOrganization } from '@annals/realm';
import type { FakeEntry } from '../../support/ldap/fake-directory';
import { FakeDirectory } from '../../support/ldap/fake-directory';
import { picture } from '../../support/requests/pictures';
import { createLink, invite } from '../../support/invitations/invitations';
import { latestToken } from '../../support/invitations/tokens';
import { Browser } from '../../support/server/browser';
import { granted } from '../../support/server/caller';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';
import type { TestFolder } from '../../support/server/test-folder';
import { createTestFolder } from '../../support/server/test-folder';

const REALM = 1 as RealmId;
const SERVICE = { dn: 'cn=annals,dc=example,dc=com', password: 'login of the server', attributes: {} };
const BASE = 'ou=people,dc=example,dc=com';

let directory: FakeDirectory;
let folder: TestFolder;
let server: TestServer;

beforeAll(async () => {
  directory = await FakeDirectory.start();
  folder = await createTestFolder();
  const ldap = {
    servers: [directory.url],
    bind_dn: SERVICE.dn,
    bind_password: SERVICE.password,
    search_base: BASE,
    search_filter: '(&(objectClass=person)(|(uid=%(user)s)(mail=%(user)s)))',
    attributes: { avatar: 'jpegPhoto', deactivated: 'nsAccountLock' },
    roles: { administrator: ['admins'], moderator: ['moderators'], guest: ['guests'] },
    user_groups: { dev: 'developers' },
    timeout_seconds: 1,
  };
  const file = join(folder.path, 'sign-on.json');
  writeFileSync(file, JSON.stringify({ ldap: { company: ldap } }));
  server = await startTestServer({ env: { ANNALS_SIGN_ON_FILE: file, ANNALS_RATE_LIMITS: 'on' } });
  granted(await server.owner.patch('/realm', { invite_required: false }));
});
beforeEach(() => {
  directory.entries = [SERVICE];
  directory.binds.length = 0;
  directory.fault = null;
});
afterAll(async () => {
  await server.close();
  await directory.stop();
  await folder.drop();
});

const entry = (uid: string, more: FakeEntry['attributes'] = {}): FakeEntry => ({
  dn: `uid=${uid},${BASE}`,
  password: `directory password of ${uid}`,
  attributes: {
    ...{ objectClass: ['person'], uid: [uid], mail: [`${uid}@corp.example`], cn: [`The ${uid}`], entryUUID: [uid] },
    ...more,
  },
});

const list = (...entries: readonly FakeEntry[]) => void (directory.entries = [SERVICE, ...entries]);
const logIn = (username: string, password = `directory password of ${username}`) =>
  server.anonymous.post<{ api_key: string; email: string; user_id: number }>('/fetch_api_key', { username, password });
const refusal = async (username: string, password?: string) => {
  const { status, body } = await logIn(username, password);
  return [status, (body as { code?: string }).code];
};

describe('a password of the directory', () => {
  it('opens an account at the first login, as the directory describes the person', async () => {
    const created = { name: 'developers', description: '', members: [] };
    const group = granted(await server.owner.post<{ group_id: number }>('/user_groups/create', created)).group_id;
    const memberOf = ['cn=moderators,ou=groups', 'cn=dev,ou=groups'];
    list(entry('ada', { memberOf, jpegPhoto: [Buffer.from(await picture('jpeg'))] }));
    const { api_key: key, email, user_id: id } = granted(await logIn('ada'));
    expect(email).toBe('ada@corp.example');
    const { user } = granted(
      await server.as({ email, key }).get<{ user: object }>(`/users/${id}`, { client_gravatar: false }),
    );
    expect(user).toMatchObject({ full_name: 'The ada', role: Role.moderator });
    expect(user).toMatchObject({ avatar_url: expect.stringMatching(/^\/user_avatars\//) as string });
    const { members } = granted(await server.owner.get<{ members: number[] }>(`/user_groups/${group}/members`));
    expect(members).toEqual([id]);
    expect(granted(await logIn('ADA@corp.example', 'directory password of ada')).user_id).toBe(id);
  });

  it('belongs to the account that has the email already, and then to no other person', async () => {
    const bob = await server.person();
    list(entry('bob', { mail: [bob.email] }));
    expect(granted(await logIn('bob')).user_id).toBe(bob.id);
    expect(granted(await logIn(bob.email, bob.password)).user_id).toBe(bob.id);
    list(entry('bob', { mail: ['bob.new@corp.example'] }), entry('eve', { mail: [bob.email] }));
    expect(granted(await logIn('bob')).user_id).toBe(bob.id);
    const { status, body } = await logIn('eve');
    expect([status, body.msg]).toEqual([401, expect.stringContaining('belongs to somebody else in the directory')]);
  });

  it('belongs to no account that has an email which only looks like that of the person', async () => {
    const kim = { email: 'kim@corp.example', password: 'the secret of kim', full_name: 'Kim' };
    const { user_id: id } = granted(await server.owner.post<{ user_id: number }>('/users', kim));
    list(entry('kim', { mail: ['\u212Aim@corp.example'] }));
    const { status, body } = await logIn('kim');
    expect([status, body.msg]).toEqual([401, expect.stringContaining('only looks like that of an account')]);
    list(entry('kim', { mail: ['KIM@corp.example'] }));
    expect(granted(await logIn('kim')).user_id).toBe(id);
  });

  it.each([
    ['is wrong', 'cyd', 'another one'],
    ['is that of the login of this server', 'cyd', SERVICE.password],
    ['is of an unknown name', 'nobody', 'directory password of cyd'],
    ['is of everybody', '*', 'directory password of cyd'],
    ['is of a filter', 'cyd)(uid=*', 'directory password of cyd'],
  ])('is refused when it %s', async (_, username, password) => {
    list(entry('cyd'));
    expect(await refusal(username, password)).toEqual([401, 'AUTHENTICATION_FAILED']);
  });

  it('is guessed six times at most, however the person is named', async () => {
    list(entry('ida'));
    for (const name of ['ida', ' IDA ', 'i\u00adda', 'Ída', 'ＩＤＡ']) {
      expect(await refusal(name, 'a guess')).toEqual([401, 'AUTHENTICATION_FAILED']);
    }
    expect(await refusal('ida', 'a guess')).toEqual([401, 'AUTHENTICATION_FAILED']);
    for (const name of ['ida', 'ida@corp.example']) expect(await refusal(name)).toEqual([429, 'RATE_LIMIT_HIT']);
  });

  it('is not asked for when it is empty', async () => {
    list(entry('cyd'));
    expect((await logIn('cyd', '')).status).toBeGreaterThanOrEqual(400);
    expect((await logIn('cyd', '')).status).toBeLessThan(500);
    expect(directory.binds).toEqual([]);
  });

  it('is refused for whom the directory or the organization deactivated', async () => {
    list(entry('dan', { nsAccountLock: ['TRUE'] }));
    expect(await refusal('dan')).toEqual([401, 'USER_DEACTIVATED']);
    list(entry('dan'));
    const { user_id: id } = granted(await logIn('dan'));
    granted(await server.owner.delete(`/users/${id}`));
    expect(await refusal('dan')).toEqual([401, 'USER_DEACTIVATED']);
  });

  it('opens no account of a bot, and none without a usable entry', async () => {
    const bot = await server.bot(server.owner);
    list(
      entry('bot', { mail: [bot.email] }),
      entry('nomail', { mail: [] }),
      entry('odd', { nsAccountLock: ['perhaps'] }),
    );
    expect(await refusal('bot')).toEqual([401, 'AUTHENTICATION_FAILED']);
    expect(await refusal('nomail')).toEqual([401, 'AUTHENTICATION_FAILED']);
    expect(await refusal('odd')).toEqual([401, 'AUTHENTICATION_FAILED']);
  });
});

describe('an account that a directory opens', () => {
  const administrator: FakeEntry['attributes'] = { memberOf: ['cn=admins,ou=groups'] };
  const member: FakeEntry['attributes'] = {};
  const guest: FakeEntry['attributes'] = { memberOf: ['cn=guests,ou=groups'] };

  /** The role of somebody who logs in, and whether they have the default channel. */
  const atLogin = async (username: string) => {
    const { api_key: key, email } = granted(await logIn(username));
    const caller = server.as({ email, key });
    const { role } = granted(await caller.get<{ role: Role }>('/users/me'));
    type Subscribed = { readonly subscriptions: readonly { readonly name: string }[] };
    const { subscriptions } = granted(await caller.get<Subscribed>('/users/me/subscriptions'));
    return [role, subscriptions.some(({ name }) => name === 'general')];
  };

  it('has the default channels, unless it is that of a guest', async () => {
    list(entry('liz'), entry('gil', guest));
    expect(await atLogin('liz')).toEqual([Role.member, true]);
    expect(await atLogin('gil')).toEqual([Role.guest, false]);
  });

  it.each([
    ['administrator', 'ned', administrator, Role.guest, [Role.administrator, true]],
    ['member', 'max', member, Role.administrator, [Role.member, true]],
    ['guest', 'pia', guest, Role.member, [Role.guest, false]],
  ])('is that of a %s in the directory, whatever the invitation says', async (_, uid, groups, invitedAs, expected) => {
    const offer = { invite_as: invitedAs, include_realm_default_subscriptions: true };
    granted(await invite(server.owner, `${uid}@corp.example`, offer));
    list(entry(uid, groups));
    expect(await atLogin(uid)).toEqual(expected);
  });
});

describe('a directory', () => {
  it('that is away is no error of this server, and passwords of this server work', async () => {
    list(entry('ada'));
    directory.fault = (request, socket) => {
      if (request === 'search') socket.destroy();
      return request === 'search' ? 'done' : null;
    };
    const { status, body } = await logIn('ada');
    expect({ status, body }).toMatchObject({
      status: 400,
      body: {
        code: 'DIRECTORY_UNAVAILABLE',
        msg: 'The directory of this organization cannot be reached. Please try again later.',
      },
    });
    const { email, password, id } = server.owner;
    expect(granted(await logIn(email, password)).user_id).toBe(id);
  });

  it('that is away takes nobody an attempt, and neither does a rule of the organization', async () => {
    list(entry('ada'), entry('jon', { nsAccountLock: ['TRUE'] }));
    directory.fault = (request, socket) => {
      if (request === 'search') socket.destroy();
      return request === 'search' ? 'done' : null;
    };
    for (let n = 0; n < 5; n++) expect(await refusal('ada')).toEqual([400, 'DIRECTORY_UNAVAILABLE']);
    directory.fault = null;
    granted(await logIn('ada'));
    for (let n = 0; n < 6; n++) expect(await refusal('jon')).toEqual([401, 'USER_DEACTIVATED']);
  });

  it('that does not answer is away after its time', async () => {
    directory.fault = () => 'done';
    expect(await refusal('ada')).toEqual([400, 'DIRECTORY_UNAVAILABLE']);
  });

  it('opens no account while the log is full, but logs in who has one', async () => {
    list(entry('ada'), entry('uma'));
    granted(await logIn('ada'));
    await limitOrganization(server.kernel, REALM, { logMib: 0 });
    expect(await refusal('uma')).toEqual([403, 'REALM_LOG_QUOTA']);
    granted(await logIn('ada'));
    await limitOrganization(server.kernel, REALM, { logMib: null });
    granted(await logIn('uma'));
  });

  it('opens no account where only invited people may join, and logs nobody in once an owner turned it off', async () => {
    list(entry('ada'), entry('eve', { mail: ['eve@corp.example'], entryUUID: ['eve two'] }));
    granted(await server.owner.patch('/realm', { invite_required: true }));
    expect((await logIn('eve')).body.msg).toBe('Joining this organization requires an invitation.');
    granted(await logIn('ada'));
    const { invite_link: link } = granted(await createLink(server.owner));
    const eve = new Browser(server.url);
    await eve.fill(new URL(link).pathname, { email: 'eve@corp.example' });
    // Anybody could have entered the address.
    expect((await logIn('eve')).status).toBe(400);
    const token = await latestToken(server, 'registration');
    const joined = await eve.fill(`/login?invitation=${token}`, {
      username: 'eve',
      password: 'directory password of eve',
    });
    expect(joined.path).toBe('/account');
    granted(
      await server.owner.patch('/realm', {
        invite_required: false,
        authentication_methods: { Email: true, LDAP: false },
      }),
    );
    expect(await refusal('ada')).toEqual([401, 'AUTHENTICATION_FAILED']);
    granted(await server.owner.patch('/realm', { authentication_methods: { LDAP: true } }));
    granted(await logIn('ada'));
  });
});
