import type { ScimCaller } from '../../support/provisioning/scim-caller';
import { directoryOf } from '../../support/provisioning/scim-caller';
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
const second = () => server.apis[1]?.url ?? '';

describe('a person whom a directory deactivates', () => {
  it.each<[string, (id: string) => Promise<unknown>]>([
    ['by PATCH', (id) => directory.patch(`/Users/${id}`, [{ op: 'Replace', path: 'active', value: 'False' }])],
    ['by PUT', (id) => directory.put(`/Users/${id}`, { userName: `leaver${made}@example.com`, active: false })],
    ['by DELETE', (id) => directory.delete(`/Users/${id}`)],
  ])('%s loses keys, queues and open polls at once in every process', async (_, deactivate) => {
    const { id, caller } = await person();
    const elsewhere = caller.at(second());
    const queue = await elsewhere.register({ event_types: ['message'] });
    const params = { queue_id: queue.queue_id, last_event_id: queue.last_event_id };
    const poll = elsewhere.get('/events', params);
    granted(await caller.get('/users/me'));
    await deactivate(id);
    for (const somewhere of [caller, elsewhere])
      expect(await somewhere.get('/users/me')).toMatchObject({ status: 401, body: { code: 'INVALID_API_KEY' } });
    expect((await poll).status).toBeGreaterThanOrEqual(400);
    expect(await elsewhere.get('/events', params)).toMatchObject({ status: 401 });
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
