import type { RealmId } from '@annals/kernel/domain';
import { QueuesController } from '../../../apps/api/src/queues.controller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

const PATH = '/operations/queues';

let server: TestServer;
beforeAll(async () => (server = await startTestServer({ env: { ANNALS_RATE_LIMITS: 'on' } })));
afterAll(() => server.close());

const basic = ({ email, key }: Pick<Person, 'email' | 'key'>) => `Basic ${btoa(`${email}:${key}`)}`;

async function open(who: Pick<Person, 'email' | 'key'> | null, method = 'GET') {
  const headers = who ? { authorization: basic(who) } : undefined;
  const response = await fetch(`${server.url}${PATH}`, { method, ...(headers && { headers }) });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Resolves when the API process is connected to the job store, which happens after its start. */
async function storeUp(): Promise<void> {
  const scrape = async () => (await fetch(`${server.url}/metrics`)).text();
  while (!/^annals_job_store_up 1$/m.test(await scrape()));
}

const refusal = (status: number, code: string, msg: string) => ({
  status,
  body: { result: 'error', code, msg },
});
async function refused(who: Pick<Person, 'email' | 'key'> | null) {
  const { status, text } = await open(who);
  return { status, body: JSON.parse(text) as unknown };
}

describe('GET /operations/queues', () => {
  it('shows an owner every queue, with its failed jobs', async () => {
    await storeUp();
    const { status, headers, text } = await open(server.owner);
    expect(status).toBe(200);
    for (const name of server.kernel.queueNames)
      expect(text).toMatch(new RegExp(`<th scope="row">${name}</th><td class="n">\\d`));
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-length': String(Buffer.byteLength(text)),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringContaining("default-src 'none'") as string,
    });
  });

  it('shows a failed job by its ids', async () => {
    await storeUp();
    const queues = await server.kernel.queues();
    // An add before the connection is missed at once, so a loop would never let it connect.
    await queues.whenReachable(10_000);
    // The data of this job name no organization.
    while (!(await queues.add('reminders', 'due-spec', { realmId: 'none' }, { attempts: 1 })));
    while ((await queues.counts('reminders')).failed === 0) await new Promise((resolve) => setImmediate(resolve));
    const { text } = await open(server.owner);
    expect(text).toContain('<h2>Failed jobs: reminders</h2>');
    expect(text).toContain('<code>due-spec</code>');
    expect(text).toContain('{&#34;realmId&#34;:&#34;none&#34;}');
    await queues.clear('reminders');
    expect((await open(server.owner)).text).not.toContain('due-spec');
  });

  it('shows it to a second owner, as long as they are an owner', async () => {
    const second = await server.person({ role: 'owner' });
    expect((await open(second)).status).toBe(200);
    granted(await server.owner.patch(`/users/${second.id}`, { role: 200 }));
    expect((await open(second)).status).toBe(400);
  });

  it.each(['administrator', 'moderator', 'member', 'guest'] as const)('is forbidden for a %s', async (role) => {
    expect(await refused(await server.person({ role }))).toEqual(
      refusal(400, 'UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner'),
    );
  });

  it('is forbidden for bots, even of owners and with their role', async () => {
    const bot = await server.bot(server.owner);
    expect(await refused(bot)).toEqual(refusal(400, 'UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner'));
    granted(await server.owner.patch(`/bots/${bot.id}`, { role: 100 }));
    expect(await refused(bot)).toEqual(refusal(400, 'BAD_REQUEST', 'This endpoint does not accept bot requests.'));
  });

  it('is not found by owners of other organizations', async () => {
    const controller = new QueuesController(server.kernel);
    const owner = { role: 100, botType: null, realmId: 2 as RealmId };
    await expect(controller.show(owner as never, { wantsHeadersOnly: false } as never)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: 'Not found',
    });
  });

  it('asks for credentials in its own realm, not in that of the API', async () => {
    for (const who of [null, { email: server.owner.email, key: 'x'.repeat(32) }]) {
      const { status, headers } = await open(who);
      expect([status, headers.get('www-authenticate')]).toEqual([401, 'Basic realm="Annals operations"']);
    }
    const { headers } = await server.anonymous.get('/users/me');
    expect(headers.get('www-authenticate')).toBe('Basic realm="zulip"');
  });

  it('answers HEAD with headers only, and no other method', async () => {
    const head = await open(server.owner, 'HEAD');
    expect([head.status, head.text]).toEqual([200, '']);
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(500);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const { status, text } = await open(server.owner, method);
      expect([status, JSON.parse(text)]).toMatchObject([405, { allowed_methods: ['GET', 'HEAD'] }]);
    }
  });

  it('limits the guessing of keys', async () => {
    const member = await server.person();
    const guess = { email: member.email, key: 'guess'.padEnd(32, 'x') };
    const statuses: number[] = [];
    for (let n = 0; n < 21; n++) statuses.push((await open(guess)).status);
    expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 401));
    expect(statuses[20]).toBe(429);
  });
});
