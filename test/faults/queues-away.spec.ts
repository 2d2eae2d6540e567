import { FaultyRedis } from '../support/faults/faulty-redis';
import type { TestServer } from '../support/server/server';
import { startTestServer } from '../support/server/server';

// Without a Redis the jobs are where the log is: then nothing is away alone.
const describeOnRedis = process.env['ANNALS_TEST_REDIS_URL'] ? describe : describe.skip;

describeOnRedis('while the store of the jobs is away', () => {
  let redis: FaultyRedis;
  let server: TestServer;
  beforeAll(async () => {
    redis = await FaultyRedis.start();
    server = await startTestServer({ env: { REDIS_URL: redis.url } });
  });
  afterAll(async () => {
    await server.close();
    await redis.close();
  });

  const scrape = async () => {
    const response = await fetch(`${server.url}/metrics`);
    expect(response.status).toBe(200);
    return response.text();
  };
  async function scrapeUntil(line: string): Promise<string> {
    for (;;) {
      const text = await scrape();
      if (text.includes(line)) return text;
    }
  }
  const page = async () => {
    const { email, key } = server.owner;
    const headers = { authorization: `Basic ${btoa(`${email}:${key}`)}` };
    const response = await fetch(`${server.url}/operations/queues`, { headers });
    return { status: response.status, text: await response.text() };
  };

  it.each(['stopped', 'frozen'])(
    'because it is %s, metrics and the page show the figures of PostgreSQL',
    async (how) => {
      await scrapeUntil('annals_job_store_up 1');
      if (how === 'stopped') await redis.stop();
      else redis.freeze();
      const text = await scrapeUntil('annals_job_store_up 0');
      expect(text).toContain('annals_queue_oldest_due_seconds{queue="scheduled-messages"} 0');
      expect(text).not.toContain('annals_jobs{');
      expect(text).toContain('annals_lane_waiting 0');
      expect(await page()).toEqual({
        status: 200,
        text: expect.stringContaining('The store of jobs cannot be reached.') as string,
      });
      if (how === 'stopped') await redis.restart();
      else redis.thaw();
      expect(await scrapeUntil('annals_job_store_up 1')).toContain('annals_jobs{queue="reminders",state="failed"} 0');
      expect((await page()).text).not.toContain('cannot be reached');
    },
  );
});
