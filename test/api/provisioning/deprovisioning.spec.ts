import { openConnections } from '../../support/provisioning/connections';
import type { ScimCaller } from '../../support/provisioning/scim-caller';
import { directoryOf } from '../../support/provisioning/scim-caller';
import { Browser } from '../../support/server/browser';
import { Caller, granted } from '../../support/server/caller';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let directory: ScimCaller;
beforeAll(async () => {
  server = await startTestServer({ apis: 2 });
  directory = await directoryOf(server.owner);
});
afterAll(() => server.close());

const PASSWORD = 'correct-horse-staple';
let made = 0;

/** A person who is logged in. */
async function person() {
  const email = `leaver${++made}@example.com`;
  const { body } = await directory.post('/Users', { userName: email, displayName: 'Lea Ver', password: PASSWORD });
  const login = { username: email, password: PASSWORD };
  const { api_key: key } = granted(await server.owner.post<{ api_key: string }>('/fetch_api_key', login));
  return { id: String(body.id), email, caller: new Caller(server, server.url, { email, key }) };
}

describe('a person whom a directory deactivates', () => {
  it.each<[string, (id: string, userName: string) => Promise<unknown>]>([
    ['by PATCH', (id) => directory.patch(`/Users/${id}`, [{ op: 'Replace', path: 'active', value: 'False' }])],
    ['by PUT', (id, userName) => directory.put(`/Users/${id}`, { userName, active: false })],
    ['by DELETE', (id) => directory.delete(`/Users/${id}`)],
  ])('%s loses keys, sessions, bots and all that is open at once in every process', async (_, deactivate) => {
    const leaver = await server.person({ role: 'owner' });
    const connections = await openConnections(server, leaver);
    expect(new Set(await connections.statuses())).toEqual(new Set([200]));
    await deactivate(String(leaver.id), leaver.email);
    expect(new Set(await connections.statuses())).toEqual(new Set([401]));
    const end = (reason: string) => ({ type: 'end', reason });
    const { polls, streams } = await connections.ended();
    expect(streams).toEqual([end('queue_gone'), end('login_changed')]);
    // 400 for a queue that is gone, and 401 for a request that came later than the deactivation.
    for (const status of polls) expect([400, 401]).toContain(status);
  });

  it('logs in again after a reactivation, but not with an earlier key', async () => {
    const { id, email, caller } = await person();
    const active = (value: boolean) => directory.patch(`/Users/${id}`, [{ op: 'replace', value: { active: value } }]);
    await active(false);
    const login = () => server.owner.post('/fetch_api_key', { username: email, password: PASSWORD });
    expect(await login()).toMatchObject({ status: 401 });
    await active(true);
    expect(await caller.get('/users/me')).toMatchObject({ status: 401, body: { code: 'INVALID_API_KEY' } });
    granted(await login());
  });
});

describe('a person to whom a directory gives another password', () => {
  it.each<[string, (id: string, userName: string, password: string) => Promise<{ status: number }>]>([
    ['by PATCH', (id, _, value) => directory.patch(`/Users/${id}`, [{ op: 'replace', path: 'password', value }])],
    ['by PUT', (id, userName, password) => directory.put(`/Users/${id}`, { userName, password })],
  ])('%s loses keys and sessions in every process, and logs in with it', async (_, change) => {
    const owner = await server.person({ role: 'owner' });
    const caller = [owner, owner.at(server.apis[1]?.url ?? '')];
    const browser = new Browser(owner.url);
    await browser.fill('/login', { username: owner.email, password: owner.password }, '/login');
    const password = 'another-horse-staple';
    expect(await change(String(owner.id), owner.email, password)).toMatchObject({ status: 200 });
    for (const one of caller) expect(await one.get('/users/me')).toMatchObject({ status: 401 });
    expect((await browser.open('/account')).path).toMatch(/^\/login/);
    const login = (chosen: string) => owner.post('/fetch_api_key', { username: owner.email, password: chosen });
    granted(await login(password));
    expect(await login(owner.password)).not.toMatchObject({ status: 200 });
  });
});
