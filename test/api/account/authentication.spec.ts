import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let person: Person;
beforeAll(async () => {
  server = await startTestServer({ apis: 2 });
  person = await server.person();
});
afterAll(() => server.close());

const logIn = (username: string, password: string) =>
  server.anonymous.post<{ api_key: string }>('/fetch_api_key', { username, password });
const whoAmI = (email: string, key: string) => server.as({ email, key }).get('/users/me');
const refused = (status: number, code: string, msg?: string) => ({
  status,
  body: { result: 'error', code, ...(msg === undefined ? {} : { msg }) },
});

describe('POST /fetch_api_key', () => {
  it('exchanges email and password for an API key', async () => {
    const { status, body } = await logIn(person.email.toUpperCase(), person.password);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        result: 'success',
        msg: '',
        api_key: expect.stringMatching(/^[A-Za-z0-9]{32}$/) as string,
        email: person.email,
        user_id: person.id,
      },
    });
  });

  it('ignores an Authorization header', async () => {
    const stale = server.as({ email: person.email, key: 'x'.repeat(32) });
    const login = { username: person.email, password: person.password };
    expect((await stale.post('/fetch_api_key', login)).status).toBe(200);
  });

  it('leaves earlier keys alone', async () => {
    const keys = [];
    for (let n = 0; n < 2; n++) keys.push((await logIn(person.email, person.password)).body.api_key);
    expect(new Set([...keys, person.key]).size).toBe(3);
    for (const key of [...keys, person.key]) expect((await whoAmI(person.email, key)).status).toBe(200);
  });

  it('gives the same answer to a wrong password, an unknown email and a bot', async () => {
    const bot = await server.bot(server.owner);
    const wrong = refused(401, 'AUTHENTICATION_FAILED', 'Your username or password is incorrect');
    for (const username of [person.email, 'nobody@example.com', bot.email]) {
      const answer = await logIn(username, 'not the password');
      expect(answer).toMatchObject(wrong);
      expect(answer.headers.get('www-authenticate')).toBeNull();
    }
  });

  it('names a deactivated account, if the password is right', async () => {
    const deactivated = await server.person();
    await server.owner.delete(`/users/${deactivated.id}`);
    expect(await logIn(deactivated.email, deactivated.password)).toMatchObject(refused(401, 'USER_DEACTIVATED'));
    expect(await logIn(deactivated.email, 'not the password')).toMatchObject(refused(401, 'AUTHENTICATION_FAILED'));
  });

  it('requires both parameters', async () => {
    const without = (params: object) => server.anonymous.post('/fetch_api_key', { ...params });
    expect(await without({ password: 'x' })).toMatchObject({
      status: 400,
      body: { code: 'REQUEST_VARIABLE_MISSING', var_name: 'username' },
    });
    expect(await without({ username: person.email })).toMatchObject({
      status: 400,
      body: { code: 'REQUEST_VARIABLE_MISSING', var_name: 'password' },
    });
    expect(await without({ username: 'person' })).toMatchObject({
      status: 400,
      body: { code: 'REQUEST_VARIABLE_MISSING', var_name: 'password' },
    });
    // A directory may know people by names that are no emails.
    for (const username of ['person', 'two words@example.com', '@', '']) {
      expect(await logIn(username, 'x')).toMatchObject(refused(401, 'AUTHENTICATION_FAILED'));
    }
  });

  it('sets the time of joining once', async () => {
    const email = 'late@example.com';
    const password = 'a very good one';
    const made = { email, password, full_name: 'Late Comer' };
    const { body } = await server.owner.post<{ user_id: number }>('/users', made);
    const joined = async () => {
      const { body: answer } = await server.owner.get<{ user: { date_joined: string } }>(`/users/${body.user_id}`);
      return answer.user.date_joined;
    };
    const created = await joined();
    server.clock.advance(60 * 60 * 1000);
    const events = await server.owner.receive(() => logIn(email, password), 'realm_user');
    const later = await joined();
    expect(Date.parse(later) - Date.parse(created)).toBe(60 * 60 * 1000);
    expect(events).toMatchObject([{ op: 'update', person: { user_id: body.user_id, date_joined: later } }]);
    server.clock.advance(60 * 60 * 1000);
    await logIn(email, password);
    expect(await joined()).toBe(later);
  });
});

describe('a request', () => {
  it('without credentials is answered with how to log in', async () => {
    const answer = await server.anonymous.get('/users/me');
    expect(answer).toMatchObject(
      refused(401, 'UNAUTHORIZED', 'Not logged in: API authentication or user session required'),
    );
    expect(answer.headers.get('www-authenticate')).toBe('Basic realm="zulip"');
  });

  it('accepts the email in any letter case, and a key with white space around it', async () => {
    for (const [email, key] of [
      [person.email.toUpperCase(), person.key],
      [person.email, ` ${person.key}\n`],
    ] as const) {
      expect(await whoAmI(email, key)).toMatchObject({ status: 200, body: { user_id: person.id } });
    }
  });

  it('accepts a key only from its owner', async () => {
    const invalid = refused(401, 'INVALID_API_KEY', 'Invalid API key');
    expect(await whoAmI(server.owner.email, person.key)).toMatchObject(invalid);
    expect(await whoAmI('nobody@example.com', person.key)).toMatchObject(invalid);
    expect(await whoAmI(person.email, 'x'.repeat(32))).toMatchObject(invalid);
  });

  it('with a malformed key is refused with its own text', async () => {
    for (const key of ['', ' ', 'short', 'x'.repeat(33), `${'x'.repeat(31)}-`]) {
      expect(await whoAmI(person.email, key)).toMatchObject(refused(401, 'INVALID_API_KEY', 'Malformed API key'));
    }
  });

  it('of a deactivated account is refused at once by every API process', async () => {
    const deactivated = await server.person();
    for (const { url } of server.apis) expect((await deactivated.at(url).get('/users/me')).status).toBe(200);
    await server.owner.delete(`/users/${deactivated.id}`);
    for (const { url } of server.apis) {
      expect(await deactivated.at(url).get('/users/me')).toMatchObject(refused(401, 'USER_DEACTIVATED'));
    }
  });

  it('of an incoming webhook bot may only send messages', async () => {
    const webhook = await server.bot(person, { type: 2 });
    expect(await webhook.get('/users/me')).toMatchObject(
      refused(401, 'UNAUTHORIZED', 'This API is not available to incoming webhook bots.'),
    );
  });
});

describe('guessing passwords', () => {
  let limited: TestServer;
  beforeAll(async () => (limited = await startTestServer({ env: { ANNALS_RATE_LIMITS: 'on' } })));
  afterAll(() => limited.close());

  it('is refused after five attempts from one IP address, even with the right password', async () => {
    const { email, password } = limited.owner;
    const attempt = (username: string, tried: string) =>
      limited.anonymous.post('/fetch_api_key', { username, password: tried });
    for (const n of [1, 2, 3, 4, 5]) {
      expect(await attempt(email, `guess ${n}`)).toMatchObject(refused(401, 'AUTHENTICATION_FAILED'));
    }
    const stopped = await attempt(email.toUpperCase(), password);
    expect(stopped).toMatchObject({
      status: 429,
      body: { code: 'RATE_LIMIT_HIT', 'retry-after': expect.any(Number) as number },
    });
    expect(Number(stopped.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await attempt('nobody@example.com', password)).toMatchObject(refused(401, 'AUTHENTICATION_FAILED'));
    expect((await limited.owner.get('/users/me')).status).toBe(200);
  });
});
