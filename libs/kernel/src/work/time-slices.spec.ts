import fc from 'fast-check';
import type { Pacing } from './time-slices';
import { TimeSlices } from './time-slices';

/** Time that passes when somebody works or pauses, and what happened in it. */
class Told implements Pacing {
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
  it('give what the piece gave, and how long it took', async () => {
    const told = new Told();
    expect(await new TimeSlices(told).run('a', () => told.work('one', 3))).toEqual({ result: 'one', took: 3 });
  });

  it('let others in after a while, for as long as it took', async () => {
    const told = new Told();
    const slices = new TimeSlices(told);
    for (const name of ['one', 'two', 'three', 'four'])
      await slices.run('a', () => told.work(name, name === 'four' ? 40 : 2));
    await slices.run('b', () => told.work('five', 1));
    expect(told.happened).toEqual(['one', 'two', 'pause 4', 'three', 'four', 'pause 42', 'five']);
  });

  it('take turns between askers, however much one of them asks', async () => {
    const told = new Told();
    const slices = new TimeSlices(told);
    const asked = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'];
    await Promise.all(asked.map((name) => slices.run(name.charAt(0), () => told.work(name, 0))));
    expect(told.happened).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('go on when a piece throws', async () => {
    const slices = new TimeSlices(new Told());
    const fails = slices.run('a', () => {
      throw new Error('broken');
    });
    const next = slices.run('a', () => 'next');
    await expect(fails).rejects.toThrow('broken');
    expect(await next).toMatchObject({ result: 'next' });
  });

  it('make something of many things some at a time, and of few at once', async () => {
    const told = new Told();
    const slices = new TimeSlices(told);
    const make = (n: number) => told.work(String(n), 2);
    expect(await slices.map('a', [1, 2, 3, 4, 5, 6, 7], 2, make)).toEqual(['1', '2', '3', '4', '5', '6', '7']);
    expect(told.happened).toEqual(['1', '2', 'pause 4', '3', '4', 'pause 4', '5', '6', 'pause 4', '7']);
    expect(await slices.map('a', [], 2, make)).toEqual([]);
    const long = slices.run('b', () => told.work('long', 30));
    const few = slices.map('a', [8, 9], 2, make);
    expect(told.happened.slice(-2)).toEqual(['8', '9']);
    await Promise.all([long, few]);
  });

  it('work no longer without a pause than a slice and a piece, and pause as long as they worked', async () => {
    const pieces = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 0, max: 30 })), {
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(pieces, async (all) => {
        const told = new Told();
        const slices = new TimeSlices(told);
        await Promise.all(all.map(([asker, ms], n) => slices.run(asker, () => told.work(`${ms} ${n}`, ms))));
        let worked = 0;
        for (const one of told.happened) {
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
