import { Counter } from 'prom-client';
import type { Answered, ToyApp } from '../../testing/toy-app';
import { KEY } from '../../testing/toy-accounts';
import { startToyApp } from '../../testing/toy-app';
import { HealthChecks } from '@annals/kernel';
import { Metrics } from './metrics';

let toy: ToyApp;
beforeEach(async () => (toy = await startToyApp()));
afterEach(() => toy.close());

const get = async (path: string) => {
  const response = await fetch(`http://127.0.0.1:${toy.port}${path}`);
  return { status: response.status, text: await response.text(), headers: response.headers };
};

describe('health', () => {
  it('is live while the process runs', async () => {
    expect(await get('/health/live')).toMatchObject({ status: 200, text: '{"status":"ok"}' });
  });

  it('is ready when every check is, and names the others', async () => {
    expect(await get('/health/ready')).toMatchObject({ status: 200, text: '{"status":"ok","checks":{},"notices":{}}' });
    const checks = toy.app.get(HealthChecks);
    checks.add('database', async () => undefined);
    expect((await get('/health/ready')).status).toBe(200);
    checks.add('views', async () => 'behind by 12 events');
    checks.add('queues', () => Promise.reject(new Error('password=secret')));
    const { status, text } = await get('/health/ready');
    expect([status, JSON.parse(text)]).toEqual([
      503,
      {
        status: 'unavailable',
        checks: { database: 'ok', views: 'behind by 12 events', queues: 'failed' },
        notices: {},
      },
    ]);
  });

  it('leaves out the checks that the request excludes', async () => {
    const checks = toy.app.get(HealthChecks);
    checks.add('followers', async () => 'one is stuck');
    checks.add('read models', async () => 'not built');
    checks.add('database', async () => undefined);
    expect((await get('/health/ready?exclude=followers')).status).toBe(503);
    const { status, text } = await get('/health/ready?exclude=followers&exclude=read%20models&exclude=unknown');
    expect([status, JSON.parse(text)]).toEqual([200, { status: 'ok', checks: { database: 'ok' }, notices: {} }]);
  });

  it('stays ready with something that an operator must see', async () => {
    toy.app.get(HealthChecks).notice('followers', async () => 'one has stopped');
    const { text } = await get('/health/ready');
    expect(JSON.parse(text)).toMatchObject({ notices: { followers: 'one has stopped' } });
  });

  it('does not wait for a check that does not answer', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    try {
      const checks = new HealthChecks();
      checks.add('database', () => new Promise(() => undefined));
      const report = checks.report();
      jest.advanceTimersByTime(2_000);
      expect(await report).toEqual({ status: 'unavailable', checks: { database: 'no answer' }, notices: {} });
    } finally {
      jest.useRealTimers();
    }
  });
});

describe('metrics', () => {
  it('count requests by route and status, and include those of other modules', async () => {
    await toy.ask('GET', '/api/v1/things/5?name=x');
    await toy.ask('GET', '/api/v1/things/6?name=x');
    await toy.ask('GET', '/nowhere/at/all');
    const metrics = toy.app.get(Metrics);
    new Counter({ name: 'annals_events_total', help: 'Events', registers: [metrics.registry] }).inc(3);
    const { status, text, headers } = await get('/metrics');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/plain/);
    expect(text).toContain(
      'http_request_duration_seconds_count{method="GET",route="/api/v1/things/:thing_id",status="200"} 2',
    );
    expect(text).toContain('http_request_duration_seconds_count{method="GET",route="none",status="404"} 1');
    expect(text).toContain('annals_events_total 3');
    expect(text).not.toContain('nowhere');
  });
});

describe('the log', () => {
  it('has one line for a request: its route, result, time and who asked', async () => {
    const { headers } = await toy.ask('POST', '/api/v1/things/5?trace=1', { form: { name: 'private' } });
    await toy.close();
    const line = toy.logged.find(({ request }) => request === headers.get('x-request-id'));
    expect(line).toEqual({
      level: 30,
      time: expect.any(Number) as number,
      context: 'request',
      msg: 'request',
      request: headers.get('x-request-id'),
      method: 'POST',
      route: '/api/v1/things/:thing_id',
      status: 200,
      ms: expect.any(Number) as number,
      realm: 1,
      user: 3,
      client: 'node',
    });
  });

  it('describes a request for an unknown path by its words, the program and the account', async () => {
    const path = '/api/v1/not/there';
    const headers = { 'user-agent': 'ZulipElsewhere/1.0' };
    const unknown = await toy.ask('GET', `${path}/private1?private=1`, { headers });
    const wrongKey = await toy.ask('GET', '/api/v1/nothing', {
      as: null,
      headers: { authorization: toy.basic('member', 'x') },
    });
    const wrongMethod = await toy.ask('DELETE', '/api/v1/views/private@example.com');
    await toy.close();
    const of = (answered: Answered) =>
      toy.logged.find(({ request }) => request === answered.headers.get('x-request-id'));
    const named = { route: 'none', status: 404, realm: 1, user: 3, client: 'ZulipElsewhere' };
    expect(of(unknown)).toMatchObject({ ...named, path: `${path}/…` });
    expect(of(wrongKey)).toMatchObject({ route: 'none', status: 404, path: '/api/v1/nothing', client: 'node' });
    expect(of(wrongKey)).not.toHaveProperty('user');
    expect(of(wrongMethod)).toMatchObject({ route: 'none', status: 405 });
    expect(JSON.stringify(toy.logged)).not.toContain('private');
  });

  it('contains no error of a request during an intended end of the process', async () => {
    for (const failure of [2, 7])
      expect(await toy.ask('GET', `/api/v1/broken/${failure}`)).toMatchObject({ status: 503 });
    await toy.close();
    expect(toy.logged.filter(({ level }) => Number(level) >= 50)).toHaveLength(1);
  });

  it('never contains a key, a header, a path, a parameter or an address', async () => {
    for (const path of ['/join/private01/x', '//join/private01', '/Join/private01/?key=private'])
      expect(await toy.ask('GET', path, { as: null })).toMatchObject({ status: 404 });
    await toy.ask('GET', '/join/%private01', { as: null });
    await toy.ask('POST', '/api/v1/things/5?trace=private', { form: { name: 'private', content: 'private' } });
    await toy.ask('GET', '/api/v1/views/private@example.com');
    await toy.ask('GET', '/api/v1/broken/0', { as: null });
    await toy.close();
    const text = JSON.stringify(toy.logged);
    expect(text).toContain('request failed');
    for (const secret of [KEY, 'Basic ', 'authorization', 'private', 'member@', '127.0.0.1']) {
      expect(text).not.toContain(secret);
    }
  });
});
