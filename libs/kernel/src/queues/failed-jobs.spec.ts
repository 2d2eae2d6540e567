import { CallRecorder } from '../../../../test/support/events/call-recorder';
import type { Job } from './job';
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

describe.each(backends)('queues on %s', (backend) => {
  const aProcess = (options?: Omit<QueuesOptions, 'log'>) => processes.open(backend, options);

  it('list the failed jobs, and run one again on request', async () => {
    const given = new CallRecorder<[string, string]>();
    const queues = await aProcess({ keepFailed: 10, count: given.listener });
    const done = new CallRecorder<[Job]>();
    let broken = true;
    queues.work(queue, async (job) => {
      if (broken) throw new Error('the mail server is away');
      done.listener(job);
    });
    await queues.add(queue, 'row-1', { row: 1 }, { attempts: 1 });
    await given.atLeast(1);
    expect((await queues.counts(queue)).failed).toBe(1);
    const [failed, ...others] = await queues.failed(queue);
    expect(failed).toMatchObject({ id: 'row-1', data: { row: 1 }, attempts: 1, reason: 'the mail server is away' });
    expect(Math.abs((failed?.failedAt ?? 0) - Date.now())).toBeLessThan(60_000);
    expect(others).toEqual([]);
    broken = false;
    expect(await queues.retry(queue, 'row-2')).toBe(false);
    expect(await queues.retry(queue, 'row-1')).toBe(true);
    await done.atLeast(1);
    expect(done.calls).toEqual([[{ id: 'row-1', data: { row: 1 }, attempt: 1 }]]);
    expect(await queues.retry(queue, 'row-1')).toBe(false);
  });

  it('run a failed job again once, however many request it at once', async () => {
    const given = new CallRecorder<[string, string]>();
    const [here, there] = await Promise.all([aProcess({ count: given.listener }), aProcess()]);
    const gate = new Gate();
    here.work(queue, gate.handler);
    await here.add(queue, 'row-1', {}, { attempts: 1 });
    await gate.runs.atLeast(1);
    gate.release(new Error('no'));
    await given.atLeast(1);
    const asked = Array.from({ length: 12 }, (_, n) => (n % 2 === 0 ? here : there).retry(queue, 'row-1'));
    expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(1);
    await gate.runs.atLeast(2);
    expect(await there.retry(queue, 'row-1')).toBe(false);
    gate.release();
    await here.close();
    expect(gate.runs.calls).toHaveLength(2);
  });

  it('report that another process was faster to retry them, also when they fail once more', async () => {
    const given = new CallRecorder<[string, string]>();
    const queues = await aProcess({ count: given.listener });
    const gate = new Gate();
    queues.work(queue, gate.handler);
    await queues.add(queue, 'row-1', {}, { attempts: 1 });
    await gate.runs.atLeast(1);
    gate.release(new Error('no'));
    await given.atLeast(1);
    const bull = queues.queue(queue);
    const slow = await bull.getJob('row-1');
    if (!slow) throw new Error('it was given up and is not there');
    jest.spyOn(bull, 'getJob').mockResolvedValueOnce(slow);
    const retry = slow.retry.bind(slow);
    jest.spyOn(slow, 'retry').mockImplementation(async (...how) => {
      expect(await queues.retry(queue, 'row-1')).toBe(true);
      await gate.runs.atLeast(2);
      const refused = await retry(...how).catch((error: unknown) => error);
      gate.release(new Error('again'));
      await given.atLeast(2);
      throw refused;
    });
    expect(await queues.retry(queue, 'row-1')).toBe(false);
    expect((await queues.failed(queue)).map(({ id, reason }) => [id, reason])).toEqual([['row-1', 'again']]);
  });

  it('keep failed jobs by default, also for a process that starts later', async () => {
    const given = new CallRecorder<[string, string]>();
    const queues = await aProcess({ count: given.listener });
    queues.work(queue, () => Promise.reject(new Error('no')));
    await queues.add(queue, 'row-1', {}, { attempts: 1 });
    await queues.add(queue, 'row-2', {}, { attempts: 1 });
    await given.atLeast(2);
    const later = await aProcess();
    expect((await later.failed(queue)).map(({ id, reason }) => [id, reason])).toEqual([
      ['row-2', 'no'],
      ['row-1', 'no'],
    ]);
    expect(await later.counts(queue)).toEqual({ waiting: 0, active: 0, delayed: 0, failed: 2 });
  });

  it('keep only the newest failed jobs', async () => {
    const given = new CallRecorder<[string, string]>();
    const queues = await aProcess({ keepFailed: 2, count: given.listener });
    queues.work(queue, () => Promise.reject(new Error('no')));
    for (const row of [1, 2, 3, 4]) {
      await queues.add(queue, `row-${row}`, {}, { attempts: 1 });
      await given.atLeast(row);
    }
    expect((await queues.failed(queue)).map(({ id }) => id)).toEqual(['row-4', 'row-3']);
  });
});
