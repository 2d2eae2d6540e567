import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Kernel } from '@annals/kernel';
import type { Instant } from '@annals/kernel/domain';
import { ManualClock } from '@annals/kernel/domain';
import { pino } from 'pino';
import { contexts } from '../../apps/shared/src/contexts';
import { granted } from '../support/server/caller';
import type { TestServer } from '../support/server/server';
import { startTestServer } from '../support/server/server';

let server: TestServer;
beforeAll(async () => (server = await startTestServer({ env: { ANNALS_REALM_METRICS: 'on' } })));
afterAll(() => server.close());

/** One more kernel on the same log, at another time. */
const kernelAt = (now: number) =>
  Kernel.open({
    databaseUrl: server.databaseUrl,
    redisUrl: process.env['ANNALS_TEST_REDIS_URL'],
    contexts,
    clock: new ManualClock(now as Instant),
    log: pino({ level: 'fatal' }),
  });

const scrape = async () => (await fetch(`${server.url}/metrics`)).text();
/** Value of one sample. */
async function value(sample: string): Promise<number> {
  const line = (await scrape()).split('\n').find((each) => each.startsWith(`${sample} `));
  return Number(line?.slice(sample.length + 1));
}

describe('/metrics', () => {
  it('counts waiting polls of the process', async () => {
    const queue = await server.owner.register({ event_types: ['message'], fetch_event_types: [] });
    expect(await value('annals_polls_waiting')).toBe(0);
    const polled = server.owner.poll(queue.queue_id, queue.last_event_id);
    while ((await value('annals_polls_waiting')) !== 1);
    for (const name of ['annals_requests_in_progress', 'annals_requests_waiting']) expect(await value(name)).toBe(0);
    const channel = await server.channel(server.owner);
    await server.owner.post('/messages', { type: 'channel', to: channel, topic: 'metrics', content: 'wake up' });
    expect(await polled).toMatchObject([{ type: 'message' }]);
    expect(await value('annals_polls_waiting')).toBe(0);
  });

  it('measures appends, and counts waiting ones', async () => {
    const before = await value('annals_append_duration_seconds_count');
    const channel = await server.channel(server.owner);
    await server.owner.post('/messages', { type: 'channel', to: channel, topic: 'metrics', content: 'one more' });
    expect(await value('annals_append_duration_seconds_count')).toBe(before + 2);
    expect(await value('annals_append_duration_seconds_bucket{le="5"}')).toBe(before + 2);
    expect(await value('annals_lane_waiting')).toBe(0);
  });

  it('counts the jobs of every queue by state, also of other processes', async () => {
    const queues = await server.kernel.queues();
    await queues.whenReachable(5_000);
    await queues.queue('client-events').add('spec', {}, { delay: 60_000, jobId: 'spec-1' });
    for (const [state, jobs] of Object.entries({ delayed: 1, failed: 0 }))
      expect(await value(`annals_jobs{queue="client-events",state="${state}"}`)).toBe(jobs);
    expect(await scrape()).toMatch(/annals_jobs{queue="client-events",state="waiting"} \d/);
    expect(await scrape()).toMatch(/annals_jobs{queue="client-events",state="active"} \d/);
    expect(await value('annals_job_store_up')).toBe(1);
    await queues.clear('client-events');
    expect(await value('annals_jobs{queue="client-events",state="delayed"}')).toBe(0);
  });

  it('measures how long the oldest due job of a queue has waited', async () => {
    const oldest = (queue: string) => value(`annals_queue_oldest_due_seconds{queue="${queue}"}`);
    const now = server.clock.now();
    const channel = await server.channel(server.owner);
    const later = { type: 'channel', to: channel, topic: 'later', content: 'later' };
    for (const after of [600, 300])
      granted(
        await server.owner.post('/scheduled_messages', { ...later, scheduled_delivery_timestamp: now / 1_000 + after }),
      );
    await server.settled();
    expect(await Promise.all(['scheduled-messages', 'reminders', 'client-events'].map(oldest))).toEqual([0, 0, 0]);
    const ahead = await kernelAt(now + 1_000_000);
    try {
      const figures = new Map((await ahead.queueFigures()).map(({ name, oldestDueMs }) => [name, oldestDueMs]));
      expect(figures.get('scheduled-messages')).toBe(700_000);
      expect(figures.get('reminders')).toBe(0);
    } finally {
      await ahead.close();
    }
  });

  it('reports every follower of the log at the time of the scrape', async () => {
    await server.settled();
    const { pool } = server.kernel.database;
    expect(await value('annals_follower_behind_events{follower="subjects"}')).toBe(0);
    expect(await value('annals_follower_parked_realms{follower="subjects"}')).toBe(0);
    const park = (status: string) =>
      pool.query(`UPDATE projection_checkpoints SET status = $1 WHERE projection = 'subjects'`, [status]);
    await park('parked');
    expect(await value('annals_follower_parked_realms{follower="subjects"}')).toBe(1);
    await park('running');
    expect(await value('annals_follower_parked_realms{follower="subjects"}')).toBe(0);
  });

  it('has exactly the metrics that docs/operations.md explains', async () => {
    const docs = readFileSync(join(__dirname, '../../docs/operations.md'), 'utf8');
    const explained = [...docs.matchAll(/^\| `(annals_\w+|http_\w+)/gm)].map(([, name]) => name);
    const received = [...(await scrape()).matchAll(/^# TYPE ((?:annals|http)_\w+)/gm)].map(([, name]) => name);
    expect(explained.sort()).toEqual(received.sort());
    const alerts = docs.slice(docs.indexOf('```yaml'), docs.indexOf('```\n', docs.indexOf('```yaml')));
    const named = [...alerts.matchAll(/annals_\w+/g)].map(([name]) => name);
    expect(new Set(named)).toEqual(
      new Set(['annals_queue_oldest_due_seconds', 'annals_jobs', 'annals_queue_given_up', 'annals_job_store_up']),
    );
    for (const state of ['waiting', 'delayed', 'active', 'failed']) expect(alerts).toContain(`{state="${state}"}`);
  });
});
