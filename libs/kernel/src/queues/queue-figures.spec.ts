import { pino } from 'pino';
import type { TestDatabase } from '../../../../test/support/server/database';
import type { Instant } from '../domain/index';
import type { QueueDeclaration } from './queue-declaration';
import type { Queues } from './queues';
import { createTestDatabase } from '../../../../test/support/server/database';
import { CallRecorder } from '../../../../test/support/events/call-recorder';
import { Database } from '../database/database';
import { ManualClock } from '../domain/index';
import { openQueues } from './open-queues';
import { queueFigures, queueReports } from './queue-figures';

const log = pino({ level: 'silent' });
const redisUrl = process.env['ANNALS_TEST_REDIS_URL'];
const stores = redisUrl ? (['PostgreSQL', 'Redis'] as const) : (['PostgreSQL'] as const);
/** A port on which nobody listens. */
const NOWHERE = 'redis://127.0.0.1:1';

let database: TestDatabase;
let opened: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  opened = await Database.connect(database.url, { migrations: [] });
});
afterAll(async () => {
  await opened.close();
  await database.drop();
});

let queues: Queues;
afterEach(() => queues.close());

const NOW = 1_000_000 as Instant;
const deps = (...declarations: QueueDeclaration[]) => ({
  declarations,
  pool: opened.pool,
  clock: new ManualClock(NOW),
  queues: async () => queues,
});

const open = (url: string | undefined) =>
  openQueues({ databaseUrl: database.url, redisUrl: url, prefix: `figures-${process.pid}`, addMs: 20_000, log });

describe.each(stores)('figures of queues on %s', (store) => {
  beforeEach(async () => {
    queues = await open(store === 'Redis' ? redisUrl : undefined);
    await queues.whenReachable(10_000);
  });

  it('have the age of the oldest work that is due by PostgreSQL, if the context declares it', async () => {
    const none = { waiting: 0, delayed: 0, active: 0, failed: 0 };
    const oldestDue = (at: number | null) => async () => at as Instant | null;
    const declarations = [
      { name: 'late', oldestDue: oldestDue(NOW - 5_000) },
      { name: 'quiet', oldestDue: oldestDue(null) },
      { name: 'stepped-back', oldestDue: oldestDue(NOW + 10) },
      { name: 'empty' },
    ];
    expect(await queueFigures(deps(...declarations))).toEqual([
      { name: 'late', counts: none, oldestDueMs: 5_000 },
      { name: 'quiet', counts: none, oldestDueMs: 0 },
      { name: 'stepped-back', counts: none, oldestDueMs: 0 },
      { name: 'empty', counts: none, oldestDueMs: 0 },
    ]);
  });

  it('have the age of the oldest job otherwise, from the time it is due', async () => {
    await queues.add('jobs', 'later', {}, { delay: 600_000 });
    expect(await queueFigures(deps({ name: 'jobs' }))).toMatchObject([{ counts: { delayed: 1 }, oldestDueMs: 0 }]);
    const before = Date.now();
    await queues.add('jobs', 'first', {});
    while (Date.now() - before < 30);
    await queues.add('jobs', 'second', {});
    const [waiting] = await queueFigures(deps({ name: 'jobs' }));
    expect(waiting).toMatchObject({ counts: { waiting: 2, delayed: 1 } });
    expect(waiting?.oldestDueMs).toBeGreaterThanOrEqual(29);
    expect(waiting?.oldestDueMs).toBeLessThanOrEqual(Date.now() - before);
    const runs = new CallRecorder<[string]>();
    let release = (): void => undefined;
    queues.work('jobs', ({ id }) => {
      runs.listener(id);
      return new Promise((resolve) => (release = resolve));
    });
    await runs.atLeast(1);
    const [running] = await queueFigures(deps({ name: 'jobs' }));
    expect(running).toMatchObject({ counts: { active: 1 } });
    expect(running?.oldestDueMs).toBeGreaterThanOrEqual(waiting?.oldestDueMs ?? 0);
    release();
    await runs.atLeast(2);
    release();
  });

  it('contain the jobs that failed last', async () => {
    const given = new CallRecorder<[]>();
    const worker = await openQueues({
      databaseUrl: database.url,
      redisUrl: store === 'Redis' ? redisUrl : undefined,
      prefix: `figures-${process.pid}`,
      log,
      count: (what) => what === 'failed' && given.listener(),
    });
    try {
      worker.work('given-up', () => Promise.reject(new Error('no')));
      for (const [n, id] of ['one', 'two', 'three'].entries()) {
        await queues.add('given-up', id, { n }, { attempts: 1 });
        await given.atLeast(n + 1);
        // Redis has jobs that failed in the same millisecond in the order of their ids
        const failedAt = Date.now();
        while (Date.now() === failedAt);
      }
      const [report] = await queueReports(deps({ name: 'given-up' }), 2);
      expect(report).toMatchObject({ name: 'given-up', counts: { failed: 3 }, oldestDueMs: 0 });
      expect(report?.failed?.map(({ id, reason }) => [id, reason])).toEqual([
        ['three', 'no'],
        ['two', 'no'],
      ]);
    } finally {
      await worker.close();
    }
  });

  it('have the dead letters that are not jobs, if the queue has any', async () => {
    const deadLetters = { count: async () => 3, listedBy: 'annals toys list' };
    const [toys, none] = await queueFigures(deps({ name: 'toys', deadLetters }, { name: 'none' }));
    expect(toys).toMatchObject({ counts: { failed: 0 }, givenUp: { count: 3, listedBy: 'annals toys list' } });
    expect(none).not.toHaveProperty('givenUp');
  });

  it('are null if they cannot be read, and the others are read', async () => {
    const broken = () => Promise.reject(new Error('no such table'));
    const deadLetters = { count: broken, listedBy: 'annals toys list' };
    expect(
      await queueFigures(deps({ name: 'broken', oldestDue: broken, deadLetters }, { name: 'whole' })),
    ).toMatchObject([
      { name: 'broken', counts: { waiting: 0 }, oldestDueMs: null, givenUp: { count: null } },
      { name: 'whole', counts: { waiting: 0 }, oldestDueMs: 0 },
    ]);
  });
});

describe('figures of queues whose store is unavailable', () => {
  it('are those of PostgreSQL', async () => {
    queues = await open(NOWHERE);
    const oldestDue = async () => (NOW - 7_000) as Instant;
    expect(await queueReports(deps({ name: 'late', oldestDue }, { name: 'jobs' }), 5)).toEqual([
      { name: 'late', counts: null, oldestDueMs: 7_000, failed: null },
      { name: 'jobs', counts: null, oldestDueMs: null, failed: null },
    ]);
  });

  it('are returned in time although the store never answers', async () => {
    queues = await open(NOWHERE);
    const hanging = { ...deps({ name: 'jobs' }), queues: () => new Promise<Queues>(() => undefined) };
    expect(await queueFigures(hanging)).toEqual([{ name: 'jobs', counts: null, oldestDueMs: null }]);
  });
});
