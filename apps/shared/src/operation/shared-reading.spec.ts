import { ManualClock } from '@annals/kernel/domain';
import { oncePerSecond, sharedReading } from './shared-reading';

describe('a reading that probes share', () => {
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

  it('is shared by the metrics of one scrape, and null when it fails', async () => {
    let readings = 0;
    const reading = sharedReading(async () => {
      if (++readings === 2) throw new Error('away');
      return readings;
    });
    expect(await Promise.all([reading(), reading()])).toEqual([1, 1]);
    expect(await reading()).toBeNull();
    expect(await reading()).toBe(3);
  });
});
