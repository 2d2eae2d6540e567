import type { Person } from '../support/organization';
import type { TestServer } from '../support/server';
import { startServer } from '../support/server';

/** contract/conventions.md section 5 */
const QUOTA = 200;

let server: TestServer;
let ann: Person;
let bob: Person;
beforeAll(async () => {
  server = await startServer({ env: { ANNALS_RATE_LIMITS: 'on' } });
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
});
