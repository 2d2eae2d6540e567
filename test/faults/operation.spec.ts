import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@annals/embedded';
import { Client } from 'pg';
import type { AppProcess, ProcessServer } from '../support/processes/processes';
import { startProcesses } from '../support/processes/processes';

interface Ready {
  readonly status: number;
  readonly body: { readonly checks: Readonly<Record<string, string>> };
}

let server: ProcessServer;
let port: number;

const worker = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
const readiness = async (url: string): Promise<Ready> => {
  const response = await fetch(`${url}/health/ready`);
  return { status: response.status, body: (await response.json()) as Ready['body'] };
};

beforeAll(async () => {
  port = await freePort();
  server = await startProcesses({ workers: 0 });
  await server.startWorker({ ANNALS_WORKER_PORT: String(port), ANNALS_REALM_METRICS: 'on', ANNALS_POOL_SIZE: '7' });
});
afterAll(() => server.close());

describe('a worker', () => {
  it('has the health of an api', async () => {
    expect(await (await worker('/health/live')).json()).toEqual({ status: 'ok' });
    const checks = { worker: 'ok', database: 'ok', log: 'ok', writes: 'ok', 'read models': 'ok', followers: 'ok' };
    expect(await (await worker('/health/ready')).json()).toEqual({
      status: 'ok',
      checks,
      notices: { followers: 'ok' },
    });
    const { followers: _, ...others } = checks;
    const excluding = (await (await worker('/health/ready?exclude=followers')).json()) as Ready['body'];
    expect(excluding.checks).toEqual(others);
    expect((await worker('/health')).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'POST' })).status).toBe(405);
  });

  it('has the metrics of an api but for those of requests, and of each realm where that is wanted', async () => {
    const namesOf = async (response: Response) =>
      new Set([...(await response.text()).matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name));
    const response = await worker('/metrics');
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
    const ofWorker = await namesOf(response);
    const ofApi = await namesOf(await fetch(`${server.urls[0]}/metrics`));
    expect([...ofApi].filter((name) => !ofWorker.has(name)).sort()).toEqual([
      'annals_consumer_streams_open',
      'annals_polled_realms_stopped',
      'annals_polls_waiting',
      'annals_pulls_waiting',
      'annals_requests_in_progress',
      'annals_requests_waiting',
      'annals_streams_open',
      'http_request_duration_seconds',
    ]);
    expect([...ofWorker].filter((name) => !ofApi.has(name)).sort()).toEqual([
      'annals_realm_appends_total',
      'annals_realm_follower_behind_events',
      'annals_realm_head_position',
      'annals_realm_limit',
      'annals_realm_used',
    ]);
    const text = await (await worker('/metrics')).text();
    expect(text).toMatch(/^annals_build_info{version="\d+\.\d+\.\d+",build="\w+",node="\d+\.\d+\.\d+"} 1$/m);
    expect(text).toMatch(/^annals_pool_connections{state="max"} 7$/m);
    expect(text).toMatch(/^process_cpu_user_seconds_total [\d.]+$/m);
    expect(text).toMatch(/^annals_realm_head_position{realm="1"} [1-9]\d*$/m);
    expect(text).toMatch(/^annals_realm_follower_behind_events{realm="1",follower="subjects"} \d+$/m);
  });

  it('does not start on a port that is in use, and names the setting', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port: taken } = other.address() as { port: number };
    await expect(server.startWorker({ ANNALS_WORKER_PORT: String(taken) })).rejects.toThrow(
      `Port ${taken} of 127.0.0.1 cannot be ANNALS_WORKER_PORT: listen EADDRINUSE`,
    );
    other.close();
  });
});

describe('an api after SIGTERM', () => {
  /** Sends SIGTERM to an api, and waits until it reports that it will end. */
  async function announced(drainSeconds: string): Promise<AppProcess> {
    const api = await server.startApi({ ANNALS_DRAIN_SECONDS: drainSeconds });
    expect((await readiness(api.url)).status).toBe(200);
    api.signal('SIGTERM');
    return api;
  }

  it('is not ready for the time of ANNALS_DRAIN_SECONDS, and does what it is asked all the same', async () => {
    const api = await announced('300');
    let ready = await readiness(api.url);
    for (; ready.status === 200; ready = await readiness(api.url)) await pause(10);
    expect(ready).toMatchObject({ status: 503, body: { checks: { process: 'shutting down', database: 'ok' } } });
    const own = await server.owner.at(api.url).get('/users/me');
    expect(own.status).toBe(200);
    const live = await fetch(`${api.url}/health/live`);
    expect([live.status, live.headers.get('connection')]).toEqual([200, 'close']);
    api.signal('SIGTERM');
    expect(await api.ended).toBe(0);
    await server.kill(api);
  });

  it('ends when that time is over', async () => {
    const api = await announced('1');
    expect(await api.ended).toBe(0);
    await server.kill(api);
  });

  it('ends at once at Ctrl-C', async () => {
    const api = await server.startApi({ ANNALS_DRAIN_SECONDS: '300' });
    api.signal('SIGINT');
    expect(await api.ended).toBe(0);
    await server.kill(api);
  });
});

describe('a database that may only be read', () => {
  /** New connections are to be of this kind; those that are there end. */
  async function connections(setting: string): Promise<void> {
    const database = new URL(server.env['DATABASE_URL'] ?? '').pathname.slice(1);
    const admin = new Client({ connectionString: process.env['ANNALS_TEST_DATABASE_URL'] });
    await admin.connect();
    await admin.query(`ALTER DATABASE ${database} ${setting}`);
    await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [database]);
    await admin.end();
  }
  const url = () => server.urls[0] ?? '';
  const write = () => server.owner.at(url()).patch('/settings', { full_name: 'The Owner' });
  const status = async (check: string) => (await readiness(url())).body.checks[check];

  it('answers 503 with the time to wait, is not ready, and is ready again as soon as it accepts writes', async () => {
    await connections('SET default_transaction_read_only = on');
    try {
      while ((await status('writes')) === 'ok') await write();
      expect(await status('writes')).toMatch(/^the database refuses writes: cannot execute /);
      expect((await readiness(url())).status).toBe(503);
      const refused = await write();
      expect([refused.status, refused.body]).toMatchObject([503, { code: 'SERVICE_UNAVAILABLE' }]);
      expect(refused.headers.get('retry-after')).toBe('1');
      expect((await server.owner.at(url()).get('/users/me')).status).toBe(200);
      expect((await fetch(`${url()}/health/ready?exclude=writes`)).status).toBe(200);
    } finally {
      await connections('RESET default_transaction_read_only');
    }
    while ((await status('writes')) !== 'ok') await pause(20);
    while ((await write()).status !== 200) await pause(20);
  });
});
