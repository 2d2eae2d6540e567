import fc from 'fast-check';
import type { Pacing } from './time-slices';
import { TimeSlices } from './time-slices';

/** Time that passes while a piece works or the process pauses, and a record of both. */
class Recorder implements Pacing {
  readonly happened: string[] = [];
  private at = 0;

  now = (): number => this.at;

  pause = async (ms: number): Promise<void> => {
    this.happened.push(`pause ${ms}`);
    await Promise.resolve();
    this.at += ms;
  };

  work(name: string, ms: number): string {
    this.happened.push(name);
    this.at += ms;
    return name;
  }
}

describe('time slices', () => {
  it('return the result of the piece, and how long it took', async () => {
    const recorder = new Recorder();
    expect(await new TimeSlices(recorder).run('a', () => recorder.work('one', 3))).toEqual({ result: 'one', took: 3 });
  });

  it('pause after a while, for as long as the work took', async () => {
    const recorder = new Recorder();
    const slices = new TimeSlices(recorder);
    for (const name of ['one', 'two', 'three', 'four'])
      await slices.run('a', () => recorder.work(name, name === 'four' ? 40 : 2));
    await slices.run('b', () => recorder.work('five', 1));
    expect(recorder.happened).toEqual(['one', 'two', 'pause 4', 'three', 'four', 'pause 42', 'five']);
  });

  it('alternate between owners, however many pieces one of them has', async () => {
    const recorder = new Recorder();
    const slices = new TimeSlices(recorder);
    const asked = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'];
    await Promise.all(asked.map((name) => slices.run(name.charAt(0), () => recorder.work(name, 0))));
    expect(recorder.happened).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('alternate between organizations, and between the accounts of each', async () => {
    const recorder = new Recorder();
    const slices = new TimeSlices(recorder);
    const asked = ['1:1', '1:2', '1:3', '1:2', '2:1', '::1', '1:4'];
    await Promise.all(asked.map((name) => slices.run(name, () => recorder.work(name, 0))));
    expect(recorder.happened).toEqual(['1:1', '1:2', '2:1', '::1', '1:3', '1:4', '1:2']);
  });

  it('continue when a piece throws', async () => {
    const slices = new TimeSlices(new Recorder());
    const fails = slices.run('a', () => {
      throw new Error('broken');
    });
    const next = slices.run('a', () => 'next');
    await expect(fails).rejects.toThrow('broken');
    expect(await next).toMatchObject({ result: 'next' });
  });

  it('make many small things some at a time, and few at once', async () => {
    const recorder = new Recorder();
    const slices = new TimeSlices(recorder);
    const make = (n: number) => recorder.work(String(n), 2);
    expect(await slices.map('a', [1, 2, 3, 4, 5, 6, 7], 2, make)).toEqual(['1', '2', '3', '4', '5', '6', '7']);
    expect(recorder.happened).toEqual(['1', '2', 'pause 4', '3', '4', 'pause 4', '5', '6', 'pause 4', '7']);
    expect(await slices.map('a', [], 2, make)).toEqual([]);
    const long = slices.run('b', () => recorder.work('long', 30));
    const few = slices.map('a', [8, 9], 2, make);
    expect(recorder.happened.slice(-2)).toEqual(['8', '9']);
    await Promise.all([long, few]);
  });

  it('work no longer without a pause than a slice and a piece, and pause as long as they worked', async () => {
    const pieces = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 0, max: 30 })), {
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(pieces, async (all) => {
        const recorder = new Recorder();
        const slices = new TimeSlices(recorder);
        await Promise.all(all.map(([asker, ms], n) => slices.run(asker, () => recorder.work(`${ms} ${n}`, ms))));
        let worked = 0;
        for (const one of recorder.happened) {
          if (one.startsWith('pause')) {
            expect(one).toBe(`pause ${worked}`);
            worked = 0;
          } else {
            expect(worked).toBeLessThan(4);
            worked += parseInt(one, 10);
          }
        }
      }),
    );
  });
});
