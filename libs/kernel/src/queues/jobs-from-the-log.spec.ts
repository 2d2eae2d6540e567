import { pino } from 'pino';
import { CallRecorder } from '../../../../test/support/events/call-recorder';
import { BackgroundRunner } from '../projections/running/background-runner';
import type { CheckpointedReader } from '../projections/running/checkpointed-reader';
import { SpecLog } from '../projections/spec-support/spec-log';
import type { Job } from './job';
import { openQueues } from './open-queues';
import type { Queues } from './queues';

const log = pino({ level: 'silent' });
const redisUrl = process.env['ANNALS_TEST_REDIS_URL'];
const backends = redisUrl ? (['PostgreSQL', 'Redis'] as const) : (['PostgreSQL'] as const);

describe.each(backends)('a job that must not be lost, with queues on %s', (backend) => {
  let events: SpecLog;
  let queues: Queues;

  beforeEach(async () => {
    events = await SpecLog.open();
    queues = await openQueues({
      databaseUrl: events.database.url,
      redisUrl: backend === 'Redis' ? redisUrl : undefined,
      prefix: `spec-${process.pid}-jobs`,
      addMs: 20_000,
      log,
    });
    await queues.queue('events').waitUntilReady();
  });
  afterEach(async () => {
    await queues.close();
    await events.close();
  });

  /** Starts a job for each event. Its id is that of the event. */
  const reader: CheckpointedReader = {
    name: 'teller',
    begins: 'beginning',
    handle: async (page) => {
      for (const { realmId, position } of page)
        await queues.add('events', `events-${realmId}-${position}`, { position });
    },
  };

  /** The start of a worker, which has received no notice of the commits. */
  async function follow(how: CheckpointedReader): Promise<void> {
    const runner = new BackgroundRunner({ ...events.deps, store: events.store, log }, [], [how]);
    await events.store.ensureReaders([how]);
    await runner.poll();
    await runner.stop();
  }

  const positionsOf = (runs: CallRecorder<[Job]>) => runs.calls.map(([job]) => job.data['position']);

  it('starts from the log, although the process that wrote the event died right after its commit', async () => {
    await events.append(1, [], []);
    await events.append(1, []);
    await follow(reader);
    const runs = new CallRecorder<[Job]>();
    queues.work('events', async (job) => runs.listener(job));
    await runs.atLeast(3);
    expect(positionsOf(runs)).toEqual([1, 2, 3]);
  });

  it('is added once when the reader dies between the job and its checkpoint, and starts it again', async () => {
    await events.append(1, [], []);
    await follow({
      ...reader,
      handle: async (page, client) => {
        await reader.handle(page, client);
        throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
      },
    });
    expect(await events.checkpoint('teller', 1)).toBeUndefined();
    expect(await queues.counts('events')).toMatchObject({ waiting: 2 });
    await follow(reader);
    expect(await events.checkpoint('teller', 1)).toMatchObject({ position: 2 });
    expect(await queues.counts('events')).toMatchObject({ waiting: 2 });
    await queues.clear('events');
  });

  it('is removed when the queue is cleared, and the queue continues', async () => {
    await queues.add('events', 'events-1-1', { position: 1 });
    await queues.add('events', 'events-1-2', { position: 2 }, { delay: 60_000 });
    await queues.clear('events');
    expect(await queues.counts('events')).toEqual({ waiting: 0, active: 0, delayed: 0, failed: 0 });
    await queues.add('events', 'events-1-3', { position: 3 });
    const runs = new CallRecorder<[Job]>();
    queues.work('events', async (job) => runs.listener(job));
    await runs.atLeast(1);
    expect(positionsOf(runs)).toEqual([3]);
  });
});
