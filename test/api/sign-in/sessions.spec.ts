import { ManualClock } from '@annals/kernel/domain';
import type { Instant, RealmId } from '@annals/kernel/domain';
import { deactivateOrganization, reactivateOrganization } from '@annals/realm';
import { LogInBrowser, Sessions } from '@annals/users';
import { CommandBus } from '@nestjs/cqrs';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

const DAY = 24 * 60 * 60 * 1000;
const REALM = 1 as RealmId;

interface Session {
  readonly id: number;
  readonly client: string;
  readonly method: string;
  readonly created_at: number;
  readonly last_used_at: number;
  readonly address: string | null;
}

let server: TestServer;
let person: Person;
const clock = new ManualClock(Date.UTC(2026, 0, 1) as Instant);
beforeAll(async () => (server = await startTestServer({ apis: 2, clock })));
afterAll(() => server.close());
beforeEach(async () => (person = await server.person()));

const app = (n = 0) => {
  const api = server.apis[n];
  if (!api) throw new Error('an api is missing');
  return api.app;
};
const origin = { client: 'website', correlation: '00000000-0000-4000-8000-000000000001', address: '203.0.113.7' };
async function logIn(
  { email: username, password }: Pick<Person, 'email' | 'password'>,
  former?: string,
): Promise<string> {
  const login = new LogInBrowser({ realmId: REALM, username, password, origin }, former);
  return (await app().get(CommandBus).execute(login)).cookie;
}
const accountOf = async (cookie: string, realm = REALM) =>
  (await Promise.all([0, 1].map((n) => app(n).get(Sessions).accountOf(realm, cookie)))).map(
    (found) => found?.userId ?? null,
  );
const sessionsOf = async (by: Person) => granted(await by.get<{ sessions: Session[] }>('/users/me/sessions')).sessions;

describe('a session of a browser', () => {
  it('is valid in every process at once, and lists where it came from', async () => {
    const cookie = await logIn(person);
    expect(await accountOf(cookie)).toEqual([person.id, person.id]);
    const at = Math.floor(clock.now() / 1000);
    expect(await sessionsOf(person)).toEqual([
      {
        id: expect.any(Number) as number,
        client: 'website',
        method: 'Email',
        created_at: at,
        last_used_at: at,
        address: '203.0.113.7',
        is_current: false,
      },
    ]);
  });

  it('has a cookie that nobody can guess, choose or take to another organization', async () => {
    const cookie = await logIn(person);
    expect(cookie).toMatch(/^\d+-[\w-]{43}$/);
    const forged = [
      `${cookie}x`,
      cookie.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      `${person.id + 1}${cookie.slice(cookie.indexOf('-'))}`,
    ];
    for (const wrong of [...forged, '', 'x', `${person.id}-`]) expect(await accountOf(wrong)).toEqual([null, null]);
    const other = await logIn(person, 'planted');
    expect(other).not.toContain('planted');
    expect(await accountOf('planted')).toEqual([null, null]);
    expect(await accountOf(cookie, 2 as RealmId)).toEqual([null, null]);
  });

  it('replaces the one that the browser had, also that of another account', async () => {
    const first = await logIn(person);
    const second = await logIn(person, first);
    expect([await accountOf(first), await accountOf(second)]).toEqual([
      [null, null],
      [person.id, person.id],
    ]);
    const other = await server.person();
    await logIn(other, second);
    expect(await accountOf(second)).toEqual([null, null]);
  });

  it('ends for one person without those of others', async () => {
    const [mine, theirs] = [await logIn(person), await logIn(server.owner)];
    const [own] = await sessionsOf(person);
    expect(await server.owner.delete(`/users/me/sessions/${own?.id}`)).toMatchObject({ status: 400 });
    granted(await person.delete(`/users/me/sessions/${own?.id}`));
    expect([await accountOf(mine), await accountOf(theirs)]).toEqual([
      [null, null],
      [server.owner.id, server.owner.id],
    ]);
    expect(await person.delete(`/users/me/sessions/${own?.id}`)).toMatchObject({
      status: 400,
      body: { msg: 'No such session' },
    });
  });

  it.each<[string, () => Promise<unknown>]>([
    [
      'another password',
      () => person.patch('/settings', { old_password: person.password, new_password: 'a better one' }),
    ],
    ['another key', () => person.post('/users/me/api_key/regenerate')],
    ['a deactivation', () => server.owner.delete(`/users/${person.id}`)],
    ['leaving', () => person.delete('/users/me')],
  ])('ends with %s, in every process', async (_, act) => {
    const cookie = await logIn(person);
    granted((await act()) as Awaited<ReturnType<Person['post']>>);
    expect(await accountOf(cookie)).toEqual([null, null]);
  });

  it('is not valid again after a reactivation', async () => {
    const cookie = await logIn(person);
    granted(await server.owner.delete(`/users/${person.id}`));
    granted(await server.owner.post(`/users/${person.id}/reactivate`));
    expect(await accountOf(cookie)).toEqual([null, null]);
  });

  it('is not valid again after a reactivation of the organization, and a new one is', async () => {
    const cookie = await logIn(person);
    await deactivateOrganization(server.kernel, REALM);
    await reactivateOrganization(server.kernel, REALM);
    expect(await accountOf(cookie)).toEqual([null, null]);
    expect(await sessionsOf(person)).toEqual([]);
    expect(await accountOf(await logIn(person))).toEqual([person.id, person.id]);
    expect(await sessionsOf(person)).toHaveLength(1);
  });

  it('ends without use, and after a longest time with it', async () => {
    const [idle, used] = [await logIn(person), await logIn(person)];
    clock.advance(13 * DAY);
    expect(await accountOf(used)).toEqual([person.id, person.id]);
    clock.advance(1 * DAY);
    expect([await accountOf(idle), await accountOf(used)]).toEqual([
      [null, null],
      [person.id, person.id],
    ]);
    for (let day = 14; day < 90; day += 10) {
      clock.advance(10 * DAY);
      await app(day % 2)
        .get(Sessions)
        .accountOf(REALM, used);
    }
    expect(await accountOf(used)).toEqual([null, null]);
    expect(await sessionsOf(person)).toEqual([]);
  });

  it('is one of at most 20, the least used of which ends', async () => {
    const cookies: string[] = [];
    for (let n = 0; n < 20; n++) cookies.push(await logIn(person));
    const [first = '', second = ''] = cookies;
    clock.advance(DAY);
    await accountOf(first);
    await logIn(person);
    expect([await accountOf(first), await accountOf(second)]).toEqual([
      [person.id, person.id],
      [null, null],
    ]);
    expect(await sessionsOf(person)).toHaveLength(20);
  });

  it('is refused to deactivated accounts, and to bots, which have no password', async () => {
    granted(await server.owner.delete(`/users/${person.id}`));
    await expect(logIn(person)).rejects.toMatchObject({ code: 'USER_DEACTIVATED' });
    const bot = await server.bot(server.owner);
    await expect(logIn({ email: bot.email, password: '' })).rejects.toMatchObject({ code: 'AUTHENTICATION_FAILED' });
  });
});

describe('own API keys', () => {
  interface Key {
    readonly id: number;
    readonly is_current: boolean;
  }
  const keysOf = async (by: Person) => granted(await by.get<{ api_keys: Key[] }>('/users/me/api_keys')).api_keys;

  it('are listed with the program that has them, and end one by one', async () => {
    const login = { username: person.email, password: person.password };
    const { api_key: key } = granted(
      await server.anonymous.post<{ api_key: string }>('/fetch_api_key', { ...login, client: 'Phone' }),
    );
    const other = server.as({ email: person.email, key });
    const keys = await keysOf(person);
    expect(keys).toMatchObject([{ client: 'Phone', is_current: false }, { is_current: true }]);
    expect(JSON.stringify(keys)).not.toContain(key);
    granted(await other.get('/users/me'));
    granted(await person.delete(`/users/me/api_keys/${keys[0]?.id}`));
    expect(await other.get('/users/me')).toMatchObject({ status: 401, body: { code: 'INVALID_API_KEY' } });
    expect(await keysOf(person)).toHaveLength(1);
  });

  it('are those of the own account only', async () => {
    const [key] = await keysOf(person);
    expect(await server.owner.delete(`/users/me/api_keys/${key?.id}`)).toMatchObject({
      status: 400,
      body: { msg: 'No such API key' },
    });
    granted(await person.get('/users/me'));
  });
});
