import type { FactCache } from './fact-cache';
import type { Kernel } from '../kernel';
import type { ToyKernel } from '../spec-support/toy-kernel';
import { counter, raise } from '../spec-support/toy-context';
import { openToyKernel, realm, system } from '../spec-support/toy-kernel';

describe('facts kept in a process', () => {
  let toy: ToyKernel;
  beforeEach(async () => (toy = await openToyKernel()));
  afterEach(() => toy.close());

  const raiseOnce = (kernel = toy.kernel) => kernel.work.run(system(), (work) => work.decide(counter, 1, raise(1, 1)));

  /** How often each counter was raised, read from the log and counted as a read each time. */
  function countsOf(kernel: Kernel): { cache: FactCache<number>; reads: () => number } {
    let reads = 0;
    const cache = kernel.facts<number>({
      max: 10,
      load: async (realmId, keys) => {
        reads++;
        const { rows } = await kernel.database.pool.query<{ stream: string; n: number }>(
          'SELECT stream, count(*) AS n FROM events WHERE realm_id = $1 AND stream = ANY($2) GROUP BY stream',
          [realmId, keys.map((key) => `counter-${key}`)],
        );
        return new Map(rows.map((row) => [row.stream.slice('counter-'.length), row.n]));
      },
      touched: (event) => (event.type === 'toy.Raised' ? [(event.data as { counter: number }).counter] : []),
    });
    return { cache, reads: () => reads };
  }

  it('are read once and then known, absence included', async () => {
    const { cache, reads } = countsOf(toy.kernel);
    await toy.kernel.fence.reach(realm);
    expect(await cache.get(realm, 1)).toBeUndefined();
    expect(await cache.get(realm, 1)).toBeUndefined();
    expect(await cache.getMany(realm, [1])).toEqual(new Map());
    expect(reads()).toBe(1);
  });

  it('are not kept of keys that are longer than any that has a value', async () => {
    const { cache, reads } = countsOf(toy.kernel);
    await toy.kernel.fence.reach(realm);
    for (let n = 0; n < 2; n++) {
      expect(await cache.get(realm, 'x'.repeat(1_000))).toBeUndefined();
      expect(await cache.get(realm, 'x'.repeat(300))).toBeUndefined();
    }
    expect(reads()).toBe(3);
  });

  it('are dropped by this process’s own writes', async () => {
    const { cache } = countsOf(toy.kernel);
    await toy.kernel.fence.reach(realm);
    await cache.get(realm, 1);
    await raiseOnce();
    await toy.kernel.fence.reach(realm);
    expect(await cache.get(realm, 1)).toBe(1);
  });

  it('behind the fence show what another process wrote (trap 16: caches trusted without the head)', async () => {
    const other = await toy.another();
    const { cache } = countsOf(toy.kernel);
    await toy.kernel.fence.reach(realm);
    expect(await cache.get(realm, 1)).toBeUndefined();
    for (let n = 1; n <= 3; n++) {
      await raiseOnce(other);
      await toy.kernel.fence.reach(realm);
      expect(await cache.get(realm, 1)).toBe(n);
    }
  });

  it('hand a value that was touched while it was read to its askers only', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let reads = 0;
    const cache = toy.kernel.facts<number>({
      max: 10,
      load: async (_, keys) => {
        const mine = ++reads;
        if (mine === 1) await held;
        return new Map(keys.map((key) => [key, mine]));
      },
      touched: () => [1],
    });
    await toy.kernel.fence.reach(realm);
    const early = cache.get(realm, 1);
    await raiseOnce();
    const later = await cache.get(realm, 1);
    release();
    expect(await early).toBe(1);
    expect(later).toBe(2);
    expect(await cache.get(realm, 1)).toBe(2);
  });

  it('forget a failed read', async () => {
    let fail = true;
    const cache = toy.kernel.facts<string>({
      max: 10,
      load: async () => {
        if (fail) throw new Error('no database');
        return new Map([['1', 'here']]);
      },
      touched: () => [],
    });
    await expect(cache.get(realm, 1)).rejects.toThrow('no database');
    fail = false;
    expect(await cache.get(realm, 1)).toBe('here');
  });
});

describe('cached aggregates', () => {
  let toy: ToyKernel;
  beforeEach(async () => (toy = await openToyKernel()));
  afterEach(() => toy.close());

  it('move on with the events this process hears, and cost no read', async () => {
    const load = () => toy.kernel.aggregates.load(realm, counter, 'counter-1');
    await toy.kernel.fence.reach(realm);
    await load();
    await toy.kernel.work.run(system(), (work) => work.decide(counter, 1, raise(1, 4)));
    const stream = jest.spyOn(toy.kernel.events, 'stream');
    expect(await load()).toMatchObject({ state: 4, version: 1 });
    expect(stream).not.toHaveBeenCalled();
  });
});

describe('the fence', () => {
  let toy: ToyKernel;
  beforeEach(async () => (toy = await openToyKernel()));
  afterEach(() => toy.close());

  it('shares one read of the heads among those who wait, and never one that began before they came', async () => {
    const heads = jest.spyOn(toy.kernel.events, 'heads');
    await Promise.all(Array.from({ length: 50 }, () => toy.kernel.fence.reach(realm)));
    expect(heads.mock.calls.length).toBeLessThanOrEqual(2);
    const other = await toy.another();
    await other.work.run(system(), (work) => work.decide(counter, 1, raise(1, 1)));
    expect(await toy.kernel.fence.reach(realm)).toBe(1);
  });

  it('gives the error of a failed read to those who waited for it, and works again after', async () => {
    jest.spyOn(toy.kernel.events, 'heads').mockRejectedValueOnce(new Error('gone'));
    await expect(toy.kernel.fence.reach(realm)).rejects.toThrow('gone');
    expect(await toy.kernel.fence.reach(realm)).toBe(0);
  });
});
