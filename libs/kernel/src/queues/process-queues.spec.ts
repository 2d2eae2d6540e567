import type { Pool } from 'pg';
import type { Queues } from './queues';
import { ManualClock } from '../domain/index';
import { ProcessQueues } from './process-queues';

describe('job queues of a process', () => {
  const pool = {} as Pool;
  const clock = new ManualClock();

  it('are opened again by the next call when the first could not open them', async () => {
    const queues = { close: jest.fn() } as unknown as Queues;
    const open = jest
      .fn<Promise<Queues>, []>()
      .mockRejectedValueOnce(new Error('ECONNREFUSED'))
      .mockResolvedValue(queues);
    const jobs = new ProcessQueues([], { pool, clock, open });
    await expect(jobs.opened()).rejects.toThrow('ECONNREFUSED');
    await expect(jobs.opened()).resolves.toBe(queues);
    await jobs.opened();
    expect(open).toHaveBeenCalledTimes(2);
    await jobs.close();
    expect(queues.close).toHaveBeenCalledTimes(1);
  });

  it('close without an error when they could not be opened', async () => {
    const jobs = new ProcessQueues([], { pool, clock, open: () => Promise.reject(new Error('ECONNREFUSED')) });
    const opening = jobs.opened();
    await expect(jobs.close()).resolves.toBeUndefined();
    await expect(opening).rejects.toThrow('ECONNREFUSED');
  });
});
