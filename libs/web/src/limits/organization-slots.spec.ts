import { polls } from '../../testing/polls';
import type { ToyApp } from '../../testing/toy-app';
import { startToyApp } from '../../testing/toy-app';
import { OrganizationSlots } from './organization-slots';

const NEVER_MS = 3_600_000;
const OTHER = { headers: { 'x-forwarded-host': 'other.example.com' } };

let toy: ToyApp;
/** Starts a server on which two organizations have sent requests. */
async function start(lapseMs: number, aloneMs = NEVER_MS): Promise<void> {
  toy = await startToyApp({ requestSlots: { ofOne: 1, lapseMs, aloneMs } }, { trustedProxies: 1 });
  for (const options of [{}, OTHER]) await toy.ask('PATCH', '/api/v1/empty', options);
}
afterEach(() => toy.close());

/** A request that is in progress until it is answered by the function. */
async function occupy(): Promise<() => Promise<void>> {
  const arrived = polls.arrival();
  const asked = toy.ask('GET', '/api/v1/events?queue_id=x');
  await arrived;
  return async () => {
    for (const answer of polls.waiting) answer();
    await asked;
  };
}

describe('an organization with as many requests in progress as it may have', () => {
  it('waits with the next one, and another organization does not', async () => {
    await start(NEVER_MS);
    const answer = await occupy();
    let isAnswered = false;
    const second = toy.ask('PATCH', '/api/v1/empty').finally(() => (isAnswered = true));
    for (let n = 0; n < 5; n++) expect((await toy.ask('PATCH', '/api/v1/empty', OTHER)).status).toBe(200);
    expect(isAnswered).toBe(false);
    const { figures } = toy.app.get(OrganizationSlots);
    const numbers = { inProgress: 1, waiting: 1 };
    expect(figures).toMatchObject(numbers);
    expect([...figures.ofOwners()]).toEqual([{ key: expect.any(Number) as number, ...numbers }]);
    await answer();
    expect((await second).status).toBe(200);
  });

  it('goes on after a refusal, and after a client that has left', async () => {
    await start(NEVER_MS);
    expect((await toy.ask('PATCH', '/api/v1/empty', { as: 'nobody' })).status).toBe(401);
    expect((await toy.ask('GET', '/api/v1/things/5')).status).toBe(400);
    const [arrived, left] = [polls.arrival(), polls.departure()];
    const controller = new AbortController();
    const headers = { authorization: toy.basic('member') };
    const poll = fetch(`http://127.0.0.1:${toy.port}/api/v1/events?queue_id=x`, { headers, signal: controller.signal });
    poll.catch(() => undefined);
    await arrived;
    controller.abort();
    await left;
    expect((await toy.ask('PATCH', '/api/v1/empty')).status).toBe(200);
  });

  it('does not wait while it is alone on the server', async () => {
    await start(NEVER_MS, 0);
    const answer = await occupy();
    expect((await toy.ask('PATCH', '/api/v1/empty')).status).toBe(200);
    await answer();
  });

  it('does not wait for one that itself waits for long', async () => {
    await start(1);
    const answer = await occupy();
    expect((await toy.ask('PATCH', '/api/v1/empty')).status).toBe(200);
    await answer();
  });
});
