import { Redis } from 'ioredis';
import { CallRecorder } from '../../../../test/support/events/call-recorder';
import type { Job, JobHandler } from './job';
import type { QueuesOptions } from './queues';
import { Gate, QueueProcesses, backends } from './spec-support/queue-processes';

let processes: QueueProcesses;
let queue: string;
beforeAll(async () => (processes = await QueueProcesses.prepare()));
beforeEach(() => {
  processes.begin();
  ({ queue } = processes);
});
afterEach(() => processes.end());
afterAll(() => processes.drop());

/** A queue may take so long for a run that is due, on the slowest machine. */
const OWED_MS = 60_000;

/** Waits for runs that are due. A queue that lost them would be waited for until the spec times out. */
async function owed(runs: Promise<void>, what: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const never = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: nothing came of it for ${OWED_MS} ms`)), OWED_MS);
  });
  await Promise.race([runs, never]).finally(() => clearTimeout(timer));
}

describe.each(backends)('queues on %s', (backend) => {
  const aProcess = (options?: Omit<QueuesOptions, 'log'>) => processes.open(backend, options);

  it('pass a job to its worker with its data, once per id', async () => {
    const queues = await aProcess();
    expect(await queues.add(queue, 'message-7', { messageId: 7, reason: 'mention' })).toBe(true);
    expect(await queues.add(queue, 'message-7', { messageId: 8, reason: 'mention' })).toBe(true);
    expect(await queues.counts(queue)).toEqual({ waiting: 1, delayed: 0, active: 0, failed: 0 });
    const jobs = new CallRecorder<[Job]>();
    queues.work(queue, async (job) => jobs.listener(job));
    await jobs.atLeast(1);
    await queues.add(queue, 'message-9', { messageId: 9, reason: 'direct' });
    await jobs.atLeast(2);
    expect(jobs.calls).toEqual([
      [{ id: 'message-7', data: { messageId: 7, reason: 'mention' }, attempt: 1 }],
      [{ id: 'message-9', data: { messageId: 9, reason: 'direct' }, attempt: 1 }],
    ]);
  });

  it('remove a job before it is due, and ignore one that does not exist', async () => {
    const queues = await aProcess();
    for (const id of ['row-1', 'row-2']) await queues.add(queue, id, {}, { delay: 60_000 });
    expect(await queues.remove(queue, 'row-1')).toBe(true);
    expect(await queues.remove(queue, 'row-1')).toBe(true);
    expect(await queues.counts(queue)).toEqual({ waiting: 0, delayed: 1, active: 0, failed: 0 });
    await queues.close();
    expect(await queues.remove(queue, 'row-2')).toBe(false);
  });

  it('run a job again whose id was done before', async () => {
    const queues = await aProcess();
    const jobs = new CallRecorder<[Job]>();
    queues.work(queue, async (job) => jobs.listener(job));
    await queues.add(queue, 'row-1', {});
    await jobs.atLeast(1);
    await queues.close();
    const later = await aProcess();
    later.work(queue, async (job) => jobs.listener(job));
    await later.add(queue, 'row-1', {});
    await jobs.atLeast(2);
    expect(jobs.calls.map(([job]) => job.id)).toEqual(['row-1', 'row-1']);
  });

  it('keep a delayed job until it is due', async () => {
    const queues = await aProcess();
    const jobs = new CallRecorder<[string, number]>();
    const start = performance.now();
    queues.work(queue, async (job) => jobs.listener(job.id, performance.now() - start));
    await queues.add(queue, 'in an hour', {}, { delay: 3_600_000 });
    await queues.add(queue, 'later', {}, { delay: 300 });
    await queues.add(queue, 'at once', {}, { delay: -5 });
    await jobs.atLeast(2);
    expect((await queues.counts(queue)).delayed).toBe(1);
    const startedAt = new Map(jobs.calls);
    expect([...startedAt.keys()].sort()).toEqual(['at once', 'later']);
    expect(startedAt.get('later')).toBeGreaterThanOrEqual(299);
  });

  it('try a failed job again, and count it when it failed for good', async () => {
    const counted = new CallRecorder<[string, string]>();
    const queues = await aProcess({ count: counted.listener });
    const attempts: number[] = [];
    queues.work(queue, async ({ attempt }) => {
      attempts.push(attempt);
      throw new Error('no');
    });
    await queues.add(queue, 'row-1', {}, { attempts: 2 });
    await counted.atLeast(1);
    expect(attempts).toEqual([1, 2]);
    expect(counted.calls).toEqual([['failed', queue]]);
  });

  it('do not lose a wake-up that arrives while its job runs', async () => {
    const queues = await aProcess();
    const gate = new Gate();
    queues.work(queue, gate.handler);
    await queues.wake(queue, 3, 10);
    await gate.runs.atLeast(1);
    expect(await queues.wake(queue, 3, 11)).toBe(true);
    gate.release();
    await owed(gate.runs.atLeast(2), 'the second wake-up');
    gate.release();
    expect(gate.runs.calls.map(([job]) => job.data)).toEqual([
      { key: 3, position: 10 },
      { key: 3, position: 11 },
    ]);
  });

  it('do not lose a wake-up that arrives while its job runs, when that run fails', async () => {
    const queues = await aProcess();
    const gate = new Gate();
    queues.work(queue, gate.handler);
    await queues.wake(queue, 3, 10);
    await gate.runs.atLeast(1);
    await queues.wake(queue, 3, 11);
    gate.release(new Error('no'));
    await owed(gate.runs.atLeast(2), 'the second wake-up');
    gate.release();
    expect(gate.runs.calls[1]?.[0].data).toEqual({ key: 3, position: 11 });
  });

  it('make one run of many wake-ups, before a run and during one', async () => {
    const queues = await aProcess();
    const gate = new Gate();
    for (let position = 1; position <= 5; position++) await queues.wake(queue, 'realm-1', position);
    await queues.wake(queue, 'realm-2', 1);
    expect((await queues.counts(queue)).waiting).toBe(2);
    queues.work(queue, gate.handler);
    await gate.runs.atLeast(1);
    for (let position = 6; position <= 9; position++) await queues.wake(queue, 'realm-1', position);
    for (const run of [2, 3]) {
      gate.release();
      await owed(gate.runs.atLeast(run), `run ${run}`);
    }
    gate.release();
    await queues.close();
    const keys = gate.runs.calls.map(([job]) => job.data['key']);
    expect(keys).toEqual(['realm-1', 'realm-2', 'realm-1']);
  });

  it('handle every position, whichever process wakes and whichever works', async () => {
    const [here, there] = await Promise.all([aProcess(), aProcess()]);
    const heads = [0, 0, 0, 0];
    const seen = new Map<string | number, number>();
    const finished = new CallRecorder<[]>();
    const running = new Set<string | number>();
    let overlaps = 0;
    const handler: JobHandler = async ({ data: { key = '' } }) => {
      if (running.has(key)) overlaps += 1;
      running.add(key);
      seen.set(key, heads[Number(key)] ?? 0);
      await new Promise((resolve) => setImmediate(resolve));
      running.delete(key);
      if (heads.every((head, index) => head === 100 && seen.get(index) === 100)) finished.listener();
    };
    here.work(queue, handler);
    there.work(queue, handler);
    for (let position = 1; position <= 100; position++)
      for (const key of heads.keys()) {
        heads[key] = position;
        const waking = (position % 2 ? here : there).wake(queue, key, position);
        if (position === 100 || position % 7 === key) expect(await waking).toBe(true);
      }
    await owed(finished.atLeast(1), 'the last wake-ups of all keys');
    expect([...seen.values()]).toEqual([100, 100, 100, 100]);
    expect(overlaps).toBe(0);
  });

  it('wait for the running job before they close, and leave the next to others', async () => {
    const counted = new CallRecorder<[string, string]>();
    const queues = await aProcess({ count: counted.listener });
    const gate = new Gate();
    queues.work(queue, gate.handler);
    await queues.add(queue, 'first', {});
    await gate.runs.atLeast(1);
    await queues.add(queue, 'second', {});
    const closed = new CallRecorder<[]>();
    const closing = queues.close().then(closed.listener);
    expect(await queues.add(queue, 'third', {})).toBe(false);
    expect(counted.calls).toEqual([['missed', queue]]);
    expect(closed.calls).toEqual([]);
    gate.release();
    await closing;
    expect(gate.runs.calls.map(([job]) => job.id)).toEqual(['first']);
    const others = await aProcess();
    expect(await others.counts(queue)).toEqual({ waiting: 1, delayed: 0, active: 0, failed: 0 });
  });

  it('do not wait longer than the limit for a job that never ends', async () => {
    const queues = await aProcess({ drainMs: 50 });
    const gate = new Gate();
    queues.work(queue, gate.handler);
    await queues.add(queue, 'endless', {});
    await gate.runs.atLeast(1);
    await queues.close();
    expect(gate.runs.calls).toHaveLength(1);
    gate.release();
  });

  it.each(['', '12', 'row:1'])('refuse %j as the id of a job', async (jobId) => {
    const queues = await aProcess();
    await expect(queues.add(queue, jobId, {})).rejects.toThrow(TypeError);
    expect((await queues.counts(queue)).waiting).toBe(0);
  });

  it('refuse a second worker for a queue, and a queue with a colon in its name', async () => {
    const queues = await aProcess();
    queues.work(queue, async () => undefined);
    expect(() => queues.work(queue, async () => undefined)).toThrow(/already/);
    expect(() => queues.queue('a:b')).toThrow(/colon|:/);
  });
});

if (backends.some((backend) => backend === 'Redis'))
  describe('a worker on Redis', () => {
    it('asks again for a job before its connection counts as dead', async () => {
      const sent = jest.spyOn(Redis.prototype, 'sendCommand');
      try {
        const queues = await processes.open('Redis');
        queues.work(queue, async () => undefined);
        const asking = () => sent.mock.calls.findIndex(([{ name }]) => name === 'bzpopmin');
        while (asking() < 0) await new Promise((resolve) => setImmediate(resolve));
        const waitMs = Number(sent.mock.calls[asking()]?.[0].args.at(-1)) * 1_000;
        const { socketTimeout = 0 } = (sent.mock.contexts[asking()] as Redis).options;
        expect(waitMs).toBeGreaterThan(0);
        expect(waitMs).toBeLessThan(socketTimeout);
      } finally {
        sent.mockRestore();
      }
    });
  });
