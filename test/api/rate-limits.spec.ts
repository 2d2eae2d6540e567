import type { Person } from '../support/server/organization';
import type { TestServer } from '../support/server/server';
import { startTestServer } from '../support/server/server';

/** contract/conventions.md section 5 */
const QUOTA = 200;

let server: TestServer;
let ann: Person;
let bob: Person;
beforeAll(async () => {
  server = await startTestServer({ env: { ANNALS_RATE_LIMITS: 'on' } });
  ann = await server.person({ name: 'Ann' });
  bob = await server.person({ name: 'Bob' });
});
afterAll(() => server.close());

const ask = (person: Person) => person.get('/get_stream_id', { stream: 'general' });

describe('a server with rate limits', () => {
  it('answers an account 200 requests a minute, then refuses, and refuses nobody else', async () => {
    const first = await ask(ann);
    expect(first.status).toBe(200);
    expect(first.headers.get('x-ratelimit-limit')).toBe(String(QUOTA));
    const left = Number(first.headers.get('x-ratelimit-remaining'));
    expect(left).toBeGreaterThan(0);
    for (let n = 0; n < left; n++) expect((await ask(ann)).status).toBe(200);
    const refused = await ask(ann);
    expect(refused).toMatchObject({ status: 429, body: { result: 'error', code: 'RATE_LIMIT_HIT' } });
    expect(refused.body['retry-after']).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
    expect((await ask(bob)).status).toBe(200);
  });

  it('does not count what workers of consumers ask, but whoever asks it without a key', async () => {
    const path = '/feed/consumers/none/events';
    const asked = await bob.get(path);
    expect([asked.status, asked.headers.get('x-ratelimit-limit')]).toEqual([404, null]);
    const strangers = await Promise.all(Array.from({ length: 2 }, () => server.anonymous.get(path)));
    expect(strangers.map(({ status }) => status)).toEqual([401, 401]);
    for (const { headers } of strangers) expect(headers.get('x-ratelimit-limit')).toBe('100');
  });
});

describe('logging in with a password', () => {
  const QUOTA_FOR_ADDRESS = 100;
  const logIn = (username: string, password: string) => server.anonymous.post('/fetch_api_key', { username, password });
  const received = ({ headers }: { readonly headers: Headers }) => [
    Number(headers.get('x-ratelimit-limit')),
    Number(headers.get('x-ratelimit-remaining')),
  ];
  const secondsToReset = ({ headers }: { readonly headers: Headers }) =>
    Number(headers.get('x-ratelimit-reset')) - Date.now() / 1000;

  it('gets the limit of failures for the username, which is stricter than that for the IP address', async () => {
    const first = await logIn(ann.email, ann.password);
    expect([first.status, ...received(first)]).toEqual([200, 5, 5]);
    for (const left of [4, 3, 2, 1, 0]) {
      const failed = await logIn(ann.email, 'wrong');
      expect([failed.status, failed.body.code, ...received(failed)]).toEqual([401, 'AUTHENTICATION_FAILED', 5, left]);
      expect(secondsToReset(failed)).toBeGreaterThan(1_700);
    }
    const refused = await logIn(ann.email, ann.password);
    expect([refused.status, refused.body.code, ...received(refused)]).toEqual([429, 'RATE_LIMIT_HIT', 5, 0]);
    expect(secondsToReset(refused)).toBeLessThanOrEqual(1_801);
    expect(refused.body['retry-after']).toBeGreaterThan(1_700);
    expect(Number(refused.headers.get('retry-after'))).toBe(refused.body['retry-after']);
  });

  it('by others is not affected, also where many people are behind one address', async () => {
    const visits = await Promise.all(Array.from({ length: 120 }, () => server.anonymous.get('/server_settings')));
    expect(visits.filter(({ status }) => status !== 200)).toEqual([]);
    const other = await logIn(bob.email, bob.password);
    expect([other.status, ...received(other)]).toEqual([200, 5, 5]);
    const stranger = await server.anonymous.get('/users');
    expect([stranger.status, received(stranger)[0]]).toEqual([401, QUOTA_FOR_ADDRESS]);
  });
});
