import { ManualClock } from '@annals/kernel/domain';
import { oncePerSecond, sharedReading } from './shared-reading';

describe('a reading for probes and metrics', () => {
  it('is made once a second, however many ask', async () => {
    const clock = new ManualClock();
    let readings = 0;
    const read = oncePerSecond(clock, async () => ++readings);
    expect(await Promise.all([read(), read()])).toEqual([1, 1]);
    clock.advance(999);
    expect(await read()).toBe(1);
    clock.advance(1);
    expect(await read()).toBe(2);
  });

  it('that failed is made again at once', async () => {
    const read = jest.fn<Promise<string>, []>().mockRejectedValueOnce(new Error('away')).mockResolvedValue('there');
    const reading = oncePerSecond(new ManualClock(), read);
    await expect(reading()).rejects.toThrow('away');
    await expect(reading()).resolves.toBe('there');
  });

  it('is null for metrics when it fails', async () => {
    const reading = sharedReading(new ManualClock(), () => Promise.reject(new Error('away')));
    expect(await reading()).toBeNull();
  });
});
