import type { RealmId } from '@annals/kernel/domain';
import { Role } from '@annals/kernel/domain';
import { importUsers, issueKeyFor } from '@annals/onboarding';
import type { Caller } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

const PASSWORD = 'a very good one';

let server: TestServer;
let owner: Person;
let made = 0;
beforeAll(async () => {
  server = await startTestServer({ apis: 2 });
  ({ owner } = server);
});
afterAll(() => server.close());

/** The time, as it is shown. */
const now = () => `${new Date(server.clock.now()).toISOString().slice(0, 16)}+00:00`;
function minutesLater(): string {
  server.clock.advance(300_000);
  return now();
}

interface Shown {
  readonly user_id: number;
  readonly date_joined: string;
  readonly is_imported_stub: boolean;
}
const shown = async (id: number) => granted(await owner.get<{ user: Shown }>(`/users/${id}`)).user;

/** An account that an administrator created. */
async function account(): Promise<{ id: number; email: string }> {
  const email = `newcomer${++made}@example.com`;
  const input = { email, password: PASSWORD, full_name: 'New Comer' };
  return { email, id: granted(await owner.post<{ user_id: number }>('/users', input)).user_id };
}

async function stub(password?: string): Promise<{ id: number; email: string }> {
  const email = `import${++made}@example.com`;
  for await (const one of importUsers(server.kernel, { realmId: 1 as RealmId, url: server.url }, [
    { email, fullName: 'Im Port', role: Role.member, password },
  ])) {
    if ('userId' in one) return { email, id: one.userId };
  }
  throw new Error('nobody was imported');
}

/** With a key that the operator handed out. */
async function keyOf({ email }: { email: string }): Promise<Caller> {
  return server.as({ email, key: (await issueKeyFor(server.kernel, 1 as RealmId, email)) ?? '' });
}
const login = ({ email: username }: { email: string }) =>
  server.anonymous.post('/fetch_api_key', { username, password: PASSWORD });
const logins = async ({ id }: { id: number }) => {
  const log = await server.kernel.events.page(1 as RealmId, 0, 1_000);
  return log.filter((one) => one.type === 'users.FirstLoggedIn' && one.stream === `user-${id}`).length;
};

describe('an account that was created for a user', () => {
  it('is joined with the first request that uses a key, not with the key', async () => {
    const one = await account();
    const created = now();
    const they = await keyOf(one);
    const later = minutesLater();
    expect((await shown(one.id)).date_joined).toBe(created);
    const events = await owner.receive(async () => {
      expect((await they.get('/users/me')).body).toMatchObject({ date_joined: later });
    });
    expect(events.map(({ id: _, ...event }) => event)).toEqual([
      { type: 'realm_user', op: 'update', person: { user_id: one.id, date_joined: later } },
    ]);
    minutesLater();
    granted(await they.get('/users/me'));
    granted(await login(one));
    expect((await shown(one.id)).date_joined).toBe(later);
    expect(await logins(one)).toBe(1);
  });

  it('is joined with the first key obtained by its password', async () => {
    const one = await account();
    const later = minutesLater();
    granted(await login(one));
    expect((await shown(one.id)).date_joined).toBe(later);
    expect(await logins(one)).toBe(1);
  });

  it('is not joined with a wrong key, or after a deactivation', async () => {
    const one = await account();
    const they = await keyOf(one);
    const wrong = server.as({ email: one.email, key: 'x'.repeat(32) });
    expect(await wrong.get('/users/me')).toMatchObject({ status: 401 });
    granted(await owner.delete(`/users/${one.id}`));
    expect(await they.get('/users/me')).toMatchObject({ status: 401, body: { code: 'USER_DEACTIVATED' } });
    expect(await logins(one)).toBe(0);
    granted(await owner.post(`/users/${one.id}/reactivate`));
    granted(await they.get('/users/me'));
    expect(await logins(one)).toBe(1);
  });

  it('is joined once by concurrent requests', async () => {
    const one = await account();
    const they = await keyOf(one);
    const there = server.apis.map(({ url }) => they.at(url));
    const saved = [...there, ...there, ...there].map((at, n) =>
      at.post('/saved_snippets', { title: `snippet ${n}`, content: 'x' }),
    );
    expect((await Promise.all(saved)).map(({ status }) => status)).toEqual(saved.map(() => 200));
    expect(await logins(one)).toBe(1);
  });
});

describe('an imported account', () => {
  it('is a stub until its owner logs in', async () => {
    const one = await stub();
    const created = now();
    const they = await keyOf(one);
    expect(await shown(one.id)).toMatchObject({ is_imported_stub: true, date_joined: created });
    const listed = async () =>
      granted(
        await owner.post<{ realm_users: Shown[] }>('/register', { fetch_event_types: ['realm_user'] }),
      ).realm_users.find(({ user_id }) => user_id === one.id)?.is_imported_stub;
    expect(await listed()).toBe(true);
    const later = minutesLater();
    const events = await owner.receive(() => they.get('/users/me'));
    expect(events.map(({ id: _, ...event }) => event)).toEqual([
      { type: 'realm_user', op: 'update', person: { user_id: one.id, is_imported_stub: false } },
      { type: 'realm_user', op: 'update', person: { user_id: one.id, date_joined: later } },
    ]);
    expect(await listed()).toBe(false);
    expect(await shown(one.id)).toMatchObject({ is_imported_stub: false, date_joined: later });
  });

  it('is sent to all clients as a stub when it is created, and is in the default channels', async () => {
    let id = 0;
    const events = await owner.receive(async () => ({ id } = await stub(PASSWORD)));
    expect(events.map(({ type, op }) => `${type}/${op}`)).toEqual([
      'realm_user/add',
      'user_group/add_members',
      'user_group/add_members',
      'subscription/peer_add',
    ]);
    expect(events[0]).toMatchObject({ person: { user_id: id, is_imported_stub: true } });
  });

  it('is no stub after the first login with its password', async () => {
    const one = await stub(PASSWORD);
    granted(await login(one));
    expect(await shown(one.id)).toMatchObject({ is_imported_stub: false });
  });
});
