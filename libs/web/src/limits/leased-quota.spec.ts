import { RateLimiterMemory } from 'rate-limiter-flexible';
import { LeasedQuota } from './leased-quota';

const store = (points: number) => new RateLimiterMemory({ points, duration: 60 });

describe('a leased quota', () => {
  it('gives every point once, also to requests that arrive together, and then refuses', async () => {
    const quota = new LeasedQuota(store(105));
    const standings = await Promise.all(Array.from({ length: 110 }, async () => quota.take('a')));
    expect(standings.filter(({ isOver }) => isOver)).toHaveLength(5);
    const remaining = standings.filter(({ isOver }) => !isOver).map((standing) => standing.remaining);
    expect(remaining.sort((a, b) => a - b)).toEqual(Array.from({ length: 105 }, (_, n) => n));
    expect(await quota.take('a')).toMatchObject({ isOver: true, remaining: 0 });
    expect(await quota.take('b')).toMatchObject({ isOver: false, remaining: 104 });
  });

  it('asks the store once in ten requests while many points are left', async () => {
    const limiter = store(200);
    const consume = jest.spyOn(limiter, 'consume');
    const quota = new LeasedQuota(limiter);
    for (let count = 0; count < 100; count += 1) await quota.take('a');
    expect(consume).toHaveBeenCalledTimes(10);
  });

  it('of two processes on one store gives all points when both continue to ask', async () => {
    const shared = store(100);
    const processes = [new LeasedQuota(shared), new LeasedQuota(shared)];
    const given: boolean[] = [];
    for (let count = 0; count < 104; count += 1) given.push(!(await processes[count % 2]?.take('a'))?.isOver);
    expect(given.filter(Boolean)).toHaveLength(100);
    expect(given.slice(100)).toEqual([false, false, false, false]);
  });

  it('drops its lease when the window ends', async () => {
    jest.useFakeTimers();
    try {
      const quota = new LeasedQuota(store(20));
      for (let count = 0; count < 21; count += 1) await quota.take('a');
      expect(await quota.take('a')).toMatchObject({ isOver: true });
      jest.advanceTimersByTime(60_001);
      expect(await quota.take('a')).toMatchObject({ isOver: false, remaining: 19 });
    } finally {
      jest.useRealTimers();
    }
  });

  it('passes on errors of the store', async () => {
    const limiter = store(20);
    jest.spyOn(limiter, 'consume').mockRejectedValueOnce(new Error('gone'));
    const quota = new LeasedQuota(limiter);
    await expect(Promise.all([quota.take('a'), quota.take('a')])).rejects.toThrow('gone');
    expect(await quota.take('a')).toMatchObject({ isOver: false });
  });
});
