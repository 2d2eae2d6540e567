import type { Caller, Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import { changeOwnEmail } from '../../support/mail/own-email';
import { race } from '../../support/guards/race';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

const NEW = 'a better one than before';
const refused = (msg: string) => ({ status: 400, body: { result: 'error', code: 'BAD_REQUEST', msg } });
const WRONG = refused('Wrong password!');
const WEAK = refused('The password is too weak.');

let server: TestServer;
let person: Person;
beforeAll(async () => (server = await startTestServer({ apis: 2 })));
afterAll(() => server.close());
beforeEach(async () => (person = await server.person({ name: 'Ann Other' })));

const logIn = ({ email: username }: Person, password: string) =>
  server.anonymous.post<{ api_key: string }>('/fetch_api_key', { username, password });
const change = (by: Person, old_password: string, new_password: string, more: Params = {}) =>
  by.patch('/settings', { old_password, new_password, ...more });
const settingsOf = async (by: Person) => (await by.register({ fetch_event_types: ['user_settings'] }))['user_settings'];

describe('PATCH /settings with a new password', () => {
  it('accepts the new password and refuses the old one, in every process', async () => {
    expect(granted(await change(person, person.password, NEW))).toEqual({ result: 'success', msg: '' });
    for (const { url } of server.apis) {
      const ask = (password: string) =>
        server.anonymous.at(url).post('/fetch_api_key', { username: person.email, password });
      expect((await ask(NEW)).status).toBe(200);
      expect(await ask(person.password)).toMatchObject({ status: 401, body: { code: 'AUTHENTICATION_FAILED' } });
    }
  });

  it('ends no key and no queue, and sends no event', async () => {
    const other = await logIn(person, person.password);
    const events = await person.receive(async () => granted(await change(person, person.password, NEW)));
    expect(events).toEqual([]);
    for (const key of [person.key, other.body.api_key]) {
      expect((await server.as({ email: person.email, key }).get('/users/me')).status).toBe(200);
    }
  });

  it('changes settings in the same request, and neither when the old password is wrong', async () => {
    granted(await change(person, person.password, NEW, { color_scheme: 2 }));
    expect(await settingsOf(person)).toMatchObject({ color_scheme: 2 });
    expect(await change(person, person.password, 'one more password', { color_scheme: 3 })).toMatchObject(WRONG);
    expect(await settingsOf(person)).toMatchObject({ color_scheme: 2 });
    expect((await logIn(person, NEW)).status).toBe(200);
  });

  it.each(['short', 'x'.repeat(101), 'password123', 'abcdefgh', 'Ann Other', 'other'])(
    'refuses %j as too weak, if the old password is right',
    async (weak) => {
      expect(await change(person, person.password, weak)).toMatchObject(WEAK);
      expect(await change(person, 'wrong', weak)).toMatchObject(WRONG);
      expect((await logIn(person, person.password)).status).toBe(200);
    },
  );

  it('requires the old password', async () => {
    expect(await person.patch('/settings', { new_password: NEW })).toMatchObject(WRONG);
    expect(await change(person, '', NEW)).toMatchObject(WRONG);
  });

  it('changes no password when the new one is empty or missing', async () => {
    for (const input of [{ old_password: person.password }, { old_password: 'wrong', new_password: '' }]) {
      expect(granted(await person.patch('/settings', input))).toEqual({ result: 'success', msg: '' });
    }
    expect((await logIn(person, person.password)).status).toBe(200);
  });

  it('is not allowed to bots, which have no password', async () => {
    const bot = await server.bot(person);
    for (const old of ['', person.password]) expect(await change(bot, old, NEW)).toMatchObject(WRONG);
  });

  it('applies two concurrent changes one after the other', async () => {
    const inputs = ['the first new password', 'the second new password'];
    const answers = await Promise.all(
      inputs.map((input, n) => {
        const { url = '' } = server.apis[n] ?? {};
        return person.at(url).patch('/settings', { old_password: person.password, new_password: input });
      }),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    const winner = answers.findIndex(({ status }) => status === 200);
    expect((await logIn(person, inputs[winner] ?? '')).status).toBe(200);
  });
});

describe('POST /users/me/api_key/regenerate', () => {
  const regenerate = (by: Person) => by.post<{ api_key: string }>('/users/me/api_key/regenerate');
  const statuses = (email: string, key: string) =>
    Promise.all(server.apis.map(async ({ url }) => (await server.as({ email, key }).at(url).get('/users/me')).status));

  it('replaces all keys by one, and the old ones end at once in every process', async () => {
    const { api_key: second } = granted(await logIn(person, person.password));
    for (const key of [person.key, second]) expect(await statuses(person.email, key)).toEqual([200, 200]);
    const answer = granted(await regenerate(person));
    expect(answer).toEqual({
      result: 'success',
      msg: '',
      api_key: expect.stringMatching(/^[A-Za-z0-9]{32}$/) as string,
    });
    for (const key of [person.key, second]) expect(await statuses(person.email, key)).toEqual([401, 401]);
    expect(await statuses(person.email, answer.api_key)).toEqual([200, 200]);
    expect(await person.get('/users/me')).toMatchObject({ body: { code: 'INVALID_API_KEY' } });
    expect((await logIn(person, person.password)).status).toBe(200);
  });

  it('ends the polls and queues of the keys that end', async () => {
    const queue = await person.register({ event_types: ['message'] });
    const poll = person.get('/events', { queue_id: queue.queue_id, last_event_id: queue.last_event_id });
    const { api_key: key } = granted(await regenerate(person));
    expect((await poll).body.code).toBe('BAD_EVENT_QUEUE_ID');
    const again = server.as({ email: person.email, key });
    expect(await again.get('/events', { queue_id: queue.queue_id, last_event_id: -1 })).toMatchObject({
      body: { code: 'BAD_EVENT_QUEUE_ID' },
    });
  });

  it('refuses a key that is revoked during the request', async () => {
    const [here, there] = server.apis.map(({ url }) => person.at(url));
    if (!here || !there) throw new Error('one of two apis is missing');
    const ask = (by: Caller) => () => by.post<{ api_key: string }>('/users/me/api_key/regenerate');
    const [first, second] = await race(server.kernel, [ask(here), ask(there)]);
    expect(second).toMatchObject({ status: 401, body: { code: 'INVALID_API_KEY' } });
    expect(await statuses(person.email, granted(first)['api_key'] as string)).toEqual([200, 200]);
  });

  it('refuses requests of a key that is revoked meanwhile', async () => {
    const [here, there] = server.apis.map(({ url }) => person.at(url));
    if (!here || !there) throw new Error('one of two apis is missing');
    const [first, second] = await race(server.kernel, [
      () => here.post('/users/me/api_key/regenerate'),
      () => there.patch('/settings', { email: 'stolen@example.com' }),
    ]);
    granted(first);
    expect(second).toMatchObject({ status: 401, body: { code: 'INVALID_API_KEY' } });
    const { user } = granted(await server.owner.get<{ user: object }>(`/users/${person.id}`));
    expect(user).toMatchObject({ delivery_email: person.email });
  });

  it('is allowed to bots too', async () => {
    const bot = await server.bot(person);
    const { api_key: key } = granted(await regenerate(bot));
    expect(await statuses(bot.email, bot.key)).toEqual([401, 401]);
    expect(await statuses(bot.email, key)).toEqual([200, 200]);
    expect(await statuses(person.email, person.key)).toEqual([200, 200]);
  });

  it('requires a login', async () => {
    expect(await server.anonymous.post('/users/me/api_key/regenerate')).toMatchObject({
      status: 401,
      body: { code: 'UNAUTHORIZED' },
    });
  });
});

describe('guessing one’s own password', () => {
  let limited: TestServer;
  beforeAll(async () => (limited = await startTestServer({ env: { ANNALS_RATE_LIMITS: 'on' } })));
  afterAll(() => limited.close());

  it('counts with failed logins, weak new passwords do not', async () => {
    const one = await limited.person();
    const attempt = (old_password: string, new_password = NEW) =>
      one.patch('/settings', { old_password, new_password });
    for (let n = 0; n < 6; n++) expect(await attempt(one.password, 'short')).toMatchObject(WEAK);
    const login = { username: one.email, password: 'wrong' };
    for (let n = 0; n < 2; n++) expect((await limited.anonymous.post('/fetch_api_key', login)).status).toBe(401);
    for (let n = 0; n < 3; n++) expect(await attempt(`guess ${n}`)).toMatchObject(WRONG);
    const stopped = await attempt(one.password);
    expect(stopped).toMatchObject({ status: 429, body: { code: 'RATE_LIMIT_HIT' } });
    expect(stopped.body['retry-after']).toBeGreaterThan(1_700);
    expect(Number(stopped.headers.get('retry-after'))).toBe(stopped.body['retry-after']);
    const right = { username: one.email, password: one.password };
    expect((await limited.anonymous.post('/fetch_api_key', right)).status).toBe(429);
    expect(granted(await one.patch('/settings', { color_scheme: 3 }))).toMatchObject({ result: 'success' });
  });

  it('is not reset by another IP address', async () => {
    const one = await limited.person();
    const by = limited.as({ email: `user${one.id}@annals.invalid`, key: one.key });
    const guess = () => by.patch('/settings', { old_password: 'a guess', new_password: NEW });
    for (let n = 0; n < 4; n++) expect(await guess()).toMatchObject(WRONG);
    await changeOwnEmail(limited, by, one.id, 'elsewhere@example.com');
    expect(await guess()).toMatchObject(WRONG);
    expect(await guess()).toMatchObject({ status: 429 });
    const login = { username: 'Elsewhere@example.com', password: one.password };
    expect((await limited.anonymous.post('/fetch_api_key', login)).status).toBe(429);
  });
});
