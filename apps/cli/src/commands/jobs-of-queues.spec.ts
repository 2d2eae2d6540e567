import { Kernel } from '@annals/kernel';
import { pino } from 'pino';
import type { TestDatabase } from '../../../../test/support/server/database';
import { createTestDatabase } from '../../../../test/support/server/database';
import { CallRecorder } from '../../../../test/support/events/call-recorder';
import { setUpTestOrganization } from '../../../../test/support/server/organization';
import { contexts } from '../../../shared/src/contexts';
import { listJobs, retryJobs } from './jobs';

const QUEUE = 'scheduled-messages';
const log = pino({ level: 'silent' });
const redisUrl = process.env['ANNALS_TEST_REDIS_URL'];

let database: TestDatabase;
let kernel: Kernel;
/** Another process, that does the work. */
let worker: Kernel;
const runs = new CallRecorder<[string]>();
let broken = true;

beforeAll(async () => {
  database = await createTestDatabase();
  const open = () => Kernel.open({ databaseUrl: database.url, redisUrl, contexts, log });
  kernel = await open();
  worker = await open();
  await setUpTestOrganization(kernel);
  (await worker.queues()).work(QUEUE, async ({ id }) => {
    runs.listener(id);
    if (broken) throw new Error('the mail server is away\nat 10.0.0.1');
  });
});
afterAll(async () => {
  await worker.close();
  await kernel.close();
  await database.drop();
});

const lines: string[] = [];
const print = (line: string) => void lines.push(line);
afterEach(() => void lines.splice(0));

const list = (queue?: string, json = false) => listJobs(kernel, { queue, json }, print);
const retry = (...ids: string[]) => retryJobs(kernel, { queue: QUEUE, ids }, print);

async function giveUp(...ids: string[]): Promise<void> {
  const queues = await kernel.queues();
  await queues.whenReachable(10_000);
  for (const [n, id] of ids.entries()) {
    while (!(await queues.add(QUEUE, id, { realmId: 1 }, { attempts: 1 })));
    while ((await queues.counts(QUEUE)).failed !== n + 1) await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('annals jobs', () => {
  it('reports when no job failed', async () => {
    expect([await list(), await list(QUEUE), await list(QUEUE, true), await retry()]).toEqual([0, 0, 0, 0]);
    expect(lines).toEqual(Array.from({ length: 3 }, () => 'No job has failed.'));
  });

  it('lists failed jobs with reason and time, and runs them again', async () => {
    await giveUp('due-1-7', 'due-1-8', 'due-1-9');
    expect(await list()).toBe(0);
    expect(lines.map((line) => line.replace(/20\d\d-[\d-]+T[\d:.]+Z/, 'THEN'))).toEqual(
      ['due-1-9', 'due-1-8', 'due-1-7'].map(
        (id) => `${QUEUE} ${id} {"realmId":1}, failed THEN after 1 attempt: the mail server is away`,
      ),
    );
    lines.splice(0);
    expect(await list(QUEUE, true)).toBe(0);
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      queue: QUEUE,
      id: 'due-1-9',
      data: { realmId: 1 },
      attempts: 1,
      reason: 'the mail server is away\nat 10.0.0.1',
      failedAt: expect.any(Number) as number,
    });
    lines.splice(0);
    broken = false;
    expect(await retry('due-1-8', 'due-1-1')).toBe(1);
    expect(lines).toEqual([`${QUEUE} due-1-8: runs again`, `${QUEUE} due-1-1: no such job has failed`]);
    await runs.atLeast(4);
    lines.splice(0);
    expect(await retry()).toBe(0);
    expect(lines.sort()).toEqual([`${QUEUE} due-1-7: runs again`, `${QUEUE} due-1-9: runs again`]);
    await runs.atLeast(6);
    expect(runs.calls.flat().sort()).toEqual(['7', '7', '8', '8', '9', '9'].map((n) => `due-1-${n}`));
    lines.splice(0);
    expect(await list()).toBe(0);
    expect(lines).toEqual(['No job has failed.']);
  });

  it('reports a mistyped name, with the known ones', async () => {
    await expect(list('nope')).rejects.toThrow(/^There is no queue nope; there are .*\bscheduled-messages\b/);
    await expect(retryJobs(kernel, { queue: 'nope', ids: [] }, print)).rejects.toThrow('There is no queue nope');
  });

  it('reports when the store of the jobs is unavailable', async () => {
    const away = await Kernel.open({ databaseUrl: database.url, redisUrl: 'redis://127.0.0.1:1', contexts, log });
    try {
      expect(await listJobs(away, { json: false }, print)).toBe(1);
      expect(lines).toEqual(['The store of jobs cannot be reached.']);
    } finally {
      await away.close();
    }
  });
});
