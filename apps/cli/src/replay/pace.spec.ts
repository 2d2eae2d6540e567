import type { Instant } from '@annals/kernel/domain';
import { Pace } from './pace';

describe('the pace of a replay', () => {
  const waits = async (speed: number | null, times: readonly number[], busyMs = 0) => {
    let now = 5_000;
    const slept: number[] = [];
    const pace = new Pace(
      speed,
      () => now,
      async (ms) => {
        slept.push(ms);
        now += ms;
      },
    );
    for (const at of times) {
      await pace.until(at as Instant);
      now += busyMs;
    }
    return slept;
  };

  it('keeps the distances of the log, divided by the speed', async () => {
    expect(await waits(1, [100, 100, 400, 1_400])).toEqual([300, 1_000]);
    expect(await waits(10, [100, 100, 400, 1_400])).toEqual([30, 100]);
  });

  it('counts the time of writing', async () => {
    expect(await waits(1, [0, 100, 200], 60)).toEqual([40, 40]);
    expect(await waits(1, [0, 10, 200], 60)).toEqual([80]);
  });

  it('does not wait at full speed', async () => {
    expect(await waits(null, [0, 1_000_000])).toEqual([]);
  });
});
