import type { Pool } from 'pg';
import { Client } from 'pg';
import { pino } from 'pino';
import type { TestDatabase } from '../../../../test/support/server/database';
import type { FaultyRedis as Faulty } from '../../../../test/support/faults/faulty-redis';
import type { JobHandler } from './job';
import type { OpenQueuesOptions } from './open-queues';
import type { Queues } from './queues';
import { createTestDatabase } from '../../../../test/support/server/database';
import { FaultyRedis } from '../../../../test/support/faults/faulty-redis';
import { CallRecorder } from '../../../../test/support/events/call-recorder';
import { openQueues } from './open-queues';
import { PostgresStore } from './postgres-store';
import { QueuesUnavailable } from './queues-unavailable';

const log = pino({ level: 'silent' });
const QUEUE = 'client-events';

let database: TestDatabase;
beforeAll(async () => (database = await createTestDatabase()));
afterAll(() => database.drop());

const opened: Queues[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((queues) => queues.close()));
});

async function open(options: Partial<OpenQueuesOptions>): Promise<Queues> {
  const queues = await openQueues({ databaseUrl: database.url, log, ...options });
  opened.push(queues);
  return queues;
}

/** Adds jobs until a worker has run one of them, like a sweep that finds work again and again. */
async function untilOneRuns(queues: Queues, runs: CallRecorder<[string]>): Promise<void> {
  const before = runs.calls.length;
  const ran = runs.atLeast(before + 1).then(() => true);
  const turn = () => new Promise<boolean>((resolve) => setTimeout(resolve, 20, false));
  for (let id = 1; !(await Promise.race([ran, turn()])); id++) await queues.add(QUEUE, `try-${before}-${id}`, {});
}

/** Until the job `running` has begun. */
async function untilRunning(queues: Queues, runs: CallRecorder<[string]>): Promise<void> {
  await queues.add(QUEUE, 'running', {});
  while (!runs.calls.flat().includes('running')) await runs.atLeast(runs.calls.length + 1);
}

const TERMINATE = (name: string) => `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`;

/** Runs a statement about this spec's database from outside of it. @returns how many rows it returned */
async function asAdmin(statement: (database: string) => string): Promise<number> {
  const admin = new Client({ connectionString: process.env['ANNALS_TEST_DATABASE_URL'] });
  await admin.connect();
  try {
    const { rowCount } = await admin.query(statement(new URL(database.url).pathname.slice(1)));
    return rowCount ?? 0;
  } finally {
    await admin.end();
  }
}

describe('queues on PostgreSQL', () => {
  it('continue after all their connections were terminated, and log it without keys', async () => {
    const lines: string[] = [];
    const recordingLog = pino({ level: 'debug' }, { write: (line: string) => lines.push(line) });
    const queues = await open({ log: recordingLog });
    const runs = new CallRecorder<[string]>();
    queues.work(QUEUE, async ({ id }) => runs.listener(id));
    await untilOneRuns(queues, runs);
    expect(await asAdmin(TERMINATE)).toBeGreaterThan(1);
    await untilOneRuns(queues, runs);
    expect(await queues.counts(QUEUE)).toMatchObject({ failed: 0 });
    expect(lines.filter((line) => line.includes('terminating connection')).length).toBeGreaterThan(0);
    expect(lines.filter((line) => line.includes('secretKey'))).toEqual([]);
  });

  it('survive that a connection breaks between two statements', async () => {
    const store = await PostgresStore.open({ connectionString: database.url, log });
    try {
      const client = await (Reflect.get(store, 'pool') as Pool).connect();
      try {
        // Without a listener, the error below would end the process.
        expect(client.listenerCount('error')).toBe(1);
        const ended = new Promise<void>((resolve) => client.once('end', resolve));
        await asAdmin(TERMINATE);
        await ended;
        await expect(client.query('SELECT 1')).rejects.toThrow();
      } finally {
        client.release(true);
      }
    } finally {
      await store.close();
    }
  });

  it('work when a database that was unavailable at their start is back', async () => {
    const missed = new CallRecorder<[string, string]>();
    const queues = await open({ count: missed.listener });
    const runs = new CallRecorder<[string]>();
    await asAdmin((name) => `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    try {
      queues.work(QUEUE, async ({ id }) => runs.listener(id));
      expect(await queues.add(QUEUE, 'missed', {})).toBe(false);
      await missed.atLeast(1);
    } finally {
      await asAdmin((name) => `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    }
    await untilOneRuns(queues, runs);
    expect(runs.calls.flat()).not.toContain('missed');
  });

  it('do not open without their database', async () => {
    await expect(open({ databaseUrl: 'postgres://nobody@127.0.0.1:1/none' })).rejects.toThrow(/ECONNREFUSED/);
  });
});

if (process.env['ANNALS_TEST_REDIS_URL'])
  describe('queues on Redis', () => {
    let redis: Faulty;
    beforeEach(async () => (redis = await FaultyRedis.start()));
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((queues) => queues.close()));
      await redis.close();
    });

    const working = async (
      options: Partial<OpenQueuesOptions> = {},
      handle: (id: string) => Promise<void> = async () => undefined,
    ) => {
      const missed = new CallRecorder<[string, string]>();
      const queues = await open({ redisUrl: redis.url, count: missed.listener, ...options });
      const runs = new CallRecorder<[string]>();
      const handler: JobHandler = ({ id }) => {
        runs.listener(id);
        return handle(id);
      };
      queues.work(QUEUE, handler);
      await untilOneRuns(queues, runs);
      missed.calls.length = 0;
      return { queues, runs, missed };
    };

    /** The shortest of five, as the machine may be busy. @returns milliseconds */
    async function quickest(act: () => Promise<unknown>): Promise<number> {
      const times: number[] = [];
      for (let round = 0; round < 5; round++) {
        const start = performance.now();
        await act();
        times.push(performance.now() - start);
      }
      return Math.min(...times);
    }

    it('continue by themselves after Redis was flushed, also when a job ran meanwhile', async () => {
      let release = (): void => undefined;
      const { queues, runs } = await working({}, (id) =>
        id === 'running' ? new Promise((resolve) => (release = resolve)) : Promise.resolve(),
      );
      await queues.add(QUEUE, 'lost', {}, { delay: 3_600_000 });
      await untilRunning(queues, runs);
      await redis.flushAll();
      release();
      await untilOneRuns(queues, runs);
      expect(await queues.counts(QUEUE)).toMatchObject({ delayed: 0, failed: 0 });
    });

    it('do not lose a wake-up because of a run that Redis lost', async () => {
      const queues = await open({ redisUrl: redis.url, addMs: 20_000 });
      await queues.queue(QUEUE).waitUntilReady();
      const positions = new CallRecorder<[unknown]>();
      const finish: (() => void)[] = [];
      const handler: JobHandler = ({ data }) => {
        positions.listener(data['position']);
        return new Promise((resolve) => finish.push(resolve));
      };
      queues.work(QUEUE, handler);
      await queues.wake(QUEUE, 1, 10);
      await positions.atLeast(1);
      await redis.flushAll();
      expect(await queues.wake(QUEUE, 1, 11)).toBe(true);
      finish[0]?.();
      await positions.atLeast(2);
      finish[1]?.();
      expect(positions.calls).toEqual([[10], [11]]);
    });

    it('continue by themselves after Redis was restarted empty, and jobs added meanwhile are missed at once', async () => {
      const { queues, runs, missed } = await working();
      await redis.stop();
      let added = true;
      const ms = await quickest(async () => (added = await queues.add(QUEUE, 'missed', {})));
      expect(added).toBe(false);
      expect(await queues.wake(QUEUE, 1, 1)).toBe(false);
      expect(ms).toBeLessThan(50);
      expect(missed.calls).toEqual(Array.from({ length: 6 }, () => ['missed', QUEUE]));
      await expect(queues.counts(QUEUE)).rejects.toThrow(QueuesUnavailable);
      await redis.restart();
      await untilOneRuns(queues, runs);
      expect(await queues.counts(QUEUE)).toMatchObject({ failed: 0 });
    });

    it('throw QueuesUnavailable when the connection breaks during a read', async () => {
      const { queues, runs } = await working();
      redis.freeze();
      const asked = expect(queues.counts(QUEUE)).rejects.toThrow(QueuesUnavailable);
      await redis.stop();
      await asked;
      redis.thaw();
      await redis.restart();
      await untilOneRuns(queues, runs);
    });

    it('do not delay a caller while Redis does not answer', async () => {
      const { queues, runs, missed } = await working();
      redis.freeze();
      let added = true;
      const ms = await quickest(async () => (added = await queues.add(QUEUE, 'late', {})));
      expect(added).toBe(false);
      expect(ms).toBeLessThan(50);
      expect(missed.calls.filter(([what]) => what === 'late')).toHaveLength(5);
      redis.thaw();
      await untilOneRuns(queues, runs);
    });

    it('replace a connection that never answers', async () => {
      const { queues } = await working({ drainMs: 100 });
      redis.strand();
      while (!(await queues.add(QUEUE, 'heard', {}))) await new Promise((resolve) => setImmediate(resolve));
      expect(await queues.counts(QUEUE)).toMatchObject({ waiting: 1 });
    });

    it('start while Redis is unavailable, and work when it is there', async () => {
      await redis.stop();
      const queues = await open({ redisUrl: redis.url });
      const runs = new CallRecorder<[string]>();
      queues.work(QUEUE, async ({ id }) => runs.listener(id));
      expect(await queues.add(QUEUE, 'missed', {})).toBe(false);
      await redis.restart();
      await untilOneRuns(queues, runs);
      expect(runs.calls.flat()).not.toContain('missed');
    });

    it('close in order while Redis is unavailable', async () => {
      const lines: string[] = [];
      const recordingLog = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) });
      const { queues } = await working({ log: recordingLog });
      await redis.stop();
      await queues.close();
      expect(lines.filter((line) => line.includes('still under way'))).toEqual([]);
      await redis.restart();
    });

    it('close within the limit while Redis does not answer', async () => {
      const { queues, runs } = await working({ drainMs: 100 });
      redis.freeze();
      await queues.add(QUEUE, 'unheard', {});
      await queues.close();
      expect(runs.calls.flat()).not.toContain('unheard');
    });

    it('close in order when they never reached Redis', async () => {
      await redis.stop();
      const lines: string[] = [];
      const recordingLog = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) });
      const queues = await open({ redisUrl: redis.url, log: recordingLog });
      queues.work(QUEUE, async () => undefined);
      expect(await queues.add(QUEUE, 'missed', {})).toBe(false);
      await queues.close();
      expect(lines.filter((line) => line.includes('still under way'))).toEqual([]);
      await redis.restart();
    });

    it('finish the running job before they close although Redis became unavailable', async () => {
      let release = (): void => undefined;
      const { queues, runs } = await working({}, (id) =>
        id === 'running' ? new Promise((resolve) => (release = resolve)) : Promise.resolve(),
      );
      await untilRunning(queues, runs);
      await redis.stop();
      const closed = new CallRecorder<[]>();
      const closing = queues.close().then(closed.listener);
      expect(await queues.wake(QUEUE, 1, 1)).toBe(false);
      expect(closed.calls).toEqual([]);
      release();
      await closing;
      await redis.restart();
    });
  });
