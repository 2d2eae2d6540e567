import type { RealmId, UserId } from '@annals/kernel/domain';
import type { FastifyReply } from 'fastify';
import { FaultyRedis } from '../../../../test/support/faults/faulty-redis';
import type { Answered, ToyApp } from '../../testing/toy-app';
import { startToyApp } from '../../testing/toy-app';
import { Counters } from './counters';
import { RateLimited, RateLimits } from './rate-limits';

const THING = '/api/v1/things/5?name=x';
const quota = ({ headers }: Answered) => [headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')];

async function repeat(times: number, ask: (count: number) => Promise<Answered>): Promise<Answered[]> {
  const answers: Answered[] = [];
  for (let count = 0; count < times; count += 1) answers.push(await ask(count));
  return answers;
}

describe('the quota of a caller', () => {
  let toy: ToyApp;
  beforeAll(async () => (toy = await startToyApp({ rateLimits: true })));
  afterAll(() => toy.close());

  it('is 200 requests in 60 seconds for an account, and is in every answer', async () => {
    const answers = await repeat(200, () => toy.ask('GET', THING, { as: 'owner' }));
    expect(answers.map(({ status }) => status)).toEqual(Array(200).fill(200));
    expect(answers.map(quota)).toEqual(Array.from({ length: 200 }, (_, n) => ['200', String(199 - n)]));

    const refused = await toy.ask('GET', THING, { as: 'owner' });
    expect(refused.status).toBe(429);
    expect(refused.json).toEqual({
      result: 'error',
      msg: 'API usage exceeded rate limit',
      code: 'RATE_LIMIT_HIT',
      'retry-after': expect.any(Number) as number,
    });
    expect(Number(refused.headers.get('retry-after'))).toBe(refused.json['retry-after']);
    expect(refused.json['retry-after']).toBeGreaterThan(50);
    expect(refused.json['retry-after']).toBeLessThanOrEqual(60);
    expect(quota(refused)).toEqual(['200', '0']);
    const wait = Number(refused.headers.get('x-ratelimit-reset')) - Date.now() / 1000;
    expect(wait).toBeGreaterThan(50);
    expect(wait).toBeLessThanOrEqual(61);
    expect((await toy.ask('GET', THING, { as: 'guest' })).status).toBe(200);
  });

  it('counts refusals too', async () => {
    expect(quota(await toy.ask('POST', '/api/v1/things/5', { as: 'bot' }))).toEqual(['200', '199']);
    expect(quota(await toy.ask('GET', '/api/v1/for/humans', { as: 'bot' }))).toEqual(['200', '198']);
  });

  it('is 100 for an address without a login, including failed logins, and does not affect callers who are logged in', async () => {
    const open = await repeat(50, () => toy.ask('GET', '/api/v1/server_settings', { as: null }));
    expect(open.map(quota)).toEqual(Array.from({ length: 50 }, (_, n) => ['100', String(99 - n)]));
    const failed = await repeat(50, (n) => toy.ask('GET', THING, { as: `nobody ${n % 5}` }));
    expect(failed.map(({ status }) => status)).toEqual(Array(50).fill(401));
    expect((await toy.ask('GET', '/api/v1/server_settings', { as: null })).json.code).toBe('RATE_LIMIT_HIT');
    expect((await toy.ask('GET', THING, { as: 'nobody' })).status).toBe(429);
    expect((await toy.ask('GET', THING, { as: 'member' })).status).toBe(200);
  });

  it('is another one for pages, so that many people behind one address can log in', async () => {
    let page = new Response();
    for (let n = 0; n < 150; n += 1) page = await fetch(`http://127.0.0.1:${toy.port}/wish`);
    expect([page.status, page.headers.get('x-ratelimit-limit')]).toEqual([200, '6000']);
    expect(page.headers.get('x-ratelimit-remaining')).toBe('5850');
  });

  it('is neither counted nor sent when limits are off', async () => {
    const unlimited = await startToyApp();
    const answers = await repeat(201, () => unlimited.ask('GET', THING));
    expect(answers.at(-1)?.status).toBe(200);
    expect(answers.at(-1)?.headers.has('x-ratelimit-limit')).toBe(false);
    await unlimited.close();
  });
});

if (process.env['ANNALS_TEST_REDIS_URL'])
  describe('the quota of a caller, counted in Redis', () => {
    let server: FaultyRedis;
    let apps: ToyApp[];
    const left = async (app: ToyApp) => Number(quota(await app.ask('GET', THING))[1]);
    beforeAll(async () => {
      server = await FaultyRedis.start();
      const redis = { url: server.url, prefix: 'toy' };
      apps = await Promise.all([1, 2].map(() => startToyApp({ rateLimits: true, redis })));
    });
    afterAll(async () => {
      await Promise.all(apps.map((app) => app.close()));
      await server.close();
    });

    it('is shared by all processes to the last point', async () => {
      const statuses: number[] = [];
      for (let count = 0; count < 204; count += 1) {
        const app = apps[count % 2] as ToyApp;
        statuses.push((await app.ask('GET', THING, { as: 'owner' })).status);
      }
      expect(statuses).toEqual([...Array<number>(200).fill(200), 429, 429, 429, 429]);
    });

    it('stops callers with wrong keys in every process, as soon as it has seen one', async () => {
      const [one, other] = apps as [ToyApp, ToyApp];
      const status = async (app: ToyApp) => (await app.ask('GET', THING, { as: 'somebody' })).status;
      for (let count = 0; count < 20; count += 1) expect(await status(one)).toBe(401);
      expect([await status(one), await status(other), await status(other)]).toEqual([429, 401, 429]);
    });

    it('is taken some points at a time, so that most requests do not ask Redis', async () => {
      const [one, other] = apps as [ToyApp, ToyApp];
      expect([await left(one), await left(other), await left(one)]).toEqual([199, 189, 198]);
      server.freeze();
      expect(await left(one)).toBe(197);
      server.thaw();
    });

    it('is local to each process while Redis does not answer, and no request is refused for that', async () => {
      const [one] = apps as [ToyApp, ToyApp];
      server.freeze();
      const silent = await repeat(20, () => one.ask('GET', THING, { as: 'guest' }));
      server.thaw();
      await server.stop();
      const gone = await repeat(20, () => one.ask('GET', THING, { as: 'guest' }));
      await server.restart();
      expect([...silent, ...gone].map(({ status }) => status)).toEqual(Array(40).fill(200));
      expect(quota(gone.at(-1) as Answered)).toEqual(['200', '160']);
    });
  });

describe('wrong keys', () => {
  let toy: ToyApp;
  beforeAll(async () => (toy = await startToyApp({ rateLimits: true })));
  afterAll(() => toy.close());

  it('are 20 for an account from one address, which then is charged no more', async () => {
    const wrong = { as: 'nobody' };
    const failed = await repeat(20, () => toy.ask('GET', THING, wrong));
    expect(failed.map(({ status }) => status)).toEqual(Array(20).fill(401));
    for (let count = 0; count < 100; count += 1) {
      const refused = await toy.ask('GET', THING, wrong);
      expect([refused.status, refused.json.code, ...quota(refused)]).toEqual([429, 'RATE_LIMIT_HIT', '20', '0']);
      expect(refused.json['retry-after']).toBeGreaterThan(50);
      expect(Number(refused.headers.get('retry-after'))).toBe(refused.json['retry-after']);
    }
    expect((await toy.ask('GET', THING, { as: 'nobody else' })).status).toBe(401);
    expect((await toy.ask('GET', '/api/v1/server_settings', { as: null })).status).toBe(200);
  });
});

describe('the quotas of two organizations', () => {
  const reply = { getHeader: () => undefined, header: () => undefined } as unknown as FastifyReply;
  const [ours, theirs] = [1 as RealmId, 2 as RealmId];
  const limits = new RateLimits(new Counters(), true);

  it.each<[string, number, (realmId: RealmId) => Promise<void>]>([
    ['an account', 200, (realmId) => limits.chargeUser({ realmId, userId: 7 as UserId } as never, reply)],
    ['a token', 30_000, (realmId) => limits.chargeToken({ realmId, tokenId: 7 } as never, reply)],
    ['the organization', 50, (realmId) => limits.chargeRealm(realmId, 50, reply)],
  ])('are apart for %s with the same id', async (_, most, charge) => {
    for (let n = 0; n < most; n += 1) await charge(ours);
    await expect(charge(ours)).rejects.toThrow(RateLimited);
    await charge(theirs);
  });
});
