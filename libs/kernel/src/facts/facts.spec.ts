import type { FactCache } from './fact-cache';
import type { Position, RealmId } from '../domain/index';
import type { Kernel } from '../kernel';
import type { ToyKernel } from '../spec-support/toy-kernel';
import { counter, raise } from '../spec-support/toy-context';
import { openToyKernel, realm, system } from '../spec-support/toy-kernel';

const at = (position: number) => position as Position;

describe('facts kept in a process', () => {
  let toy: ToyKernel;
  beforeEach(async () => (toy = await openToyKernel()));
  afterEach(() => toy.close());

  const raiseOnce = (kernel = toy.kernel) => kernel.work.run(system(), (work) => work.decide(counter, 1, raise(1, 1)));

  /** How often each counter was raised. Each call reads the log and is counted. */
  function countsOf(kernel: Kernel): { cache: FactCache<number>; reads: () => number } {
    let reads = 0;
    const cache = kernel.facts<number>({
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

  it('are read once and then cached, also if there is no value', async () => {
    const { cache, reads } = countsOf(toy.kernel);
    await toy.kernel.fence.reach(realm);
    expect(await cache.get(realm, 1)).toBeUndefined();
    expect(await cache.get(realm, 1)).toBeUndefined();
    expect(await cache.getMany(realm, [1])).toEqual(new Map());
    expect(reads()).toBe(1);
  });

  it('are read by one query for all callers of the same turn', async () => {
    const { cache, reads } = countsOf(toy.kernel);
    await toy.kernel.fence.reach(realm);
    await raiseOnce();
    const asked = [1, 2, 1, 3].map(async (key) => {
      await Promise.resolve();
      return cache.get(realm, key);
    });
    const many = cache.getMany(realm, [1, 4]);
    expect(await Promise.all(asked)).toEqual([1, undefined, 1, undefined]);
    expect(await many).toEqual(new Map([[1, 1]]));
    expect(reads()).toBe(1);
    expect(await cache.getMany(realm, [1, 2, 3, 4])).toEqual(new Map([[1, 1]]));
    expect(reads()).toBe(1);
  });

  it('of many keys are cached a thousand in each turn of the event loop', async () => {
    const kept: number[] = [];
    let turn = 0;
    let isOver = false;
    const cache = toy.kernel.facts<number>({
      load: async (_, keys) => new Map(keys.map((key) => [key, 1])),
      touched: () => [],
      bytesOf: () => (kept[turn] = (kept[turn] ?? 0) + 1),
    });
    const count = () => {
      turn += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const found = await cache.getMany(
      realm,
      Array.from({ length: 2_500 }, (_, key) => key),
    );
    isOver = true;
    expect(found.size).toBe(2_500);
    expect(Object.values(kept)).toEqual([1_000, 1_000, 500]);
  });

  it('are not cached for keys that are longer than any that has a value', async () => {
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

  it('show after the fence what another process wrote', async () => {
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

  it('give a value that was touched while it was read to the current callers only', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let reads = 0;
    const cache = toy.kernel.facts<number>({
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

  it.each([
    ['an event that touches all of it', (kernel: Kernel) => raiseOnce(kernel)],
    ['a gap in what was heard', (kernel: Kernel) => kernel.tail.reach(realm, at(0))],
  ])('of one organization are dropped at once, without a look at those of others, after %s', async (_, forgetting) => {
    let isFresh = true;
    const cache = toy.kernel.facts<boolean>({
      load: async (__, keys) => new Map(keys.map((key) => [key, isFresh])),
      touched: () => 'all',
    });
    const keys = Array.from({ length: 1_000 }, (__, key) => key);
    const realms = Array.from({ length: 20 }, (__, n) => (realm + n) as RealmId);
    for (const each of realms) await cache.getMany(each, keys);
    isFresh = false;
    const walks = (['entries', 'keys', 'values', 'forEach', 'delete'] as const).map((how) =>
      jest.spyOn(Map.prototype, how),
    );
    const looks = [...walks, jest.spyOn(String.prototype, 'startsWith')];
    await forgetting(toy.kernel);
    const steps = looks.reduce((sum, { mock }) => sum + mock.calls.length, 0);
    for (const look of looks) look.mockRestore();
    expect(steps).toBeLessThan(1_000);
    for (const each of realms) expect(await cache.get(each, 7)).toBe(each !== realm);
  });

  it('drop a failed read', async () => {
    let fail = true;
    const cache = toy.kernel.facts<string>({
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

  it('of one organization are dropped without a look at those of others, and do not disturb the loads of others', async () => {
    const other = (realm + 1) as RealmId;
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const stream = jest.spyOn(toy.kernel.events, 'stream').mockImplementation(async (realmId) => {
      if (realmId === other) await held;
      return [];
    });
    const load = (realmId: RealmId) => toy.kernel.aggregates.load(realmId, counter, 'counter-1');
    const loading = load(other);
    await load(realm);
    await toy.kernel.tail.reach(realm, at(0)); // The first fence: nothing that was cached before it is exact.
    release();
    await loading;
    await Promise.all([load(realm), load(other)]);
    expect(stream.mock.calls.map(([realmId]) => realmId)).toEqual([other, realm, realm]);
  });

  it('drop a failed read', async () => {
    const { aggregates, events } = toy.kernel;
    const stream = jest.spyOn(events, 'stream').mockRejectedValueOnce(new Error('no database'));
    jest.spyOn(events, 'streams').mockRejectedValueOnce(new Error('no database'));
    await expect(aggregates.load(realm, counter, 'counter-1')).rejects.toThrow('no database');
    await expect(aggregates.loadAll(realm, counter, ['counter-1', 'counter-2'])).rejects.toThrow('no database');
    expect(aggregates.loads).toBe(0);
    expect(await aggregates.load(realm, counter, 'counter-1')).toMatchObject({ version: 0 });
    expect(stream).toHaveBeenCalledTimes(2);
  });

  it('advance with the events that this process receives, without a read', async () => {
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

  it('shares one read of the heads among waiting callers, and never one that began before they called', async () => {
    const heads = jest.spyOn(toy.kernel.events, 'heads');
    await Promise.all(Array.from({ length: 50 }, () => toy.kernel.fence.reach(realm)));
    expect(heads.mock.calls.length).toBeLessThanOrEqual(2);
    const other = await toy.another();
    await other.work.run(system(), (work) => work.decide(counter, 1, raise(1, 1)));
    expect(await toy.kernel.fence.reach(realm)).toBe(1);
  });

  it('reads no head where a recent one is enough', async () => {
    const HOUR = 3_600_000;
    await toy.kernel.fence.reachRecent(realm, HOUR);
    const heads = jest.spyOn(toy.kernel.events, 'heads');
    await toy.kernel.fence.reachRecent(realm, HOUR);
    expect(heads).not.toHaveBeenCalled();
    const other = await toy.another();
    await other.work.run(system(), (work) => work.decide(counter, 1, raise(1, 1)));
    heads.mockClear();
    await toy.kernel.fence.reachRecent(realm, -1);
    expect(heads).toHaveBeenCalledTimes(1);
    expect(toy.kernel.tail.known([realm]).get(realm)).toBe(1);
  });

  it('throws the error of a failed read to its waiting callers, and works again afterwards', async () => {
    jest.spyOn(toy.kernel.events, 'heads').mockRejectedValueOnce(new Error('gone'));
    await expect(toy.kernel.fence.reach(realm)).rejects.toThrow('gone');
    expect(await toy.kernel.fence.reach(realm)).toBe(0);
  });
});
