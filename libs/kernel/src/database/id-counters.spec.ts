import type { ToyKernel } from '../spec-support/toy-kernel';
import { openToyKernel, realm } from '../spec-support/toy-kernel';
import type { Kernel } from '../kernel';

/** How 0.1.0 takes an id. A release may run beside the next one. */
const EARLIER = `INSERT INTO id_counters AS c (realm_id, kind, last) VALUES (${realm}, $1, 1)
  ON CONFLICT (realm_id, kind) DO UPDATE SET last = c.last + 1 RETURNING last`;

describe('ids', () => {
  let toy: ToyKernel;
  let other: Kernel;
  beforeAll(async () => {
    toy = await openToyKernel();
    other = await toy.another();
  });
  afterAll(() => toy.close());

  const sorted = (ids: readonly number[]) => [...ids].sort((a, b) => a - b);

  it('are counted without gaps, by several processes at once, one by one and many together', async () => {
    const counts = Array.from({ length: 120 }, (_, n) => (n % 40 === 7 ? 100 : 1 + (n % 3)));
    const take = (count: number, n: number) => (n % 2 ? toy.kernel : other).ids.take(realm, 'thing', count);
    const ids = (await Promise.all(counts.map(take))).flat();
    expect(sorted(ids)).toEqual(ids.map((_, n) => n + 1));
    expect(await other.ids.bound(realm, 'thing')).toBeGreaterThanOrEqual(ids.length);
    expect([await other.ids.next(realm, 'another'), await other.ids.bound(realm, 'none')]).toEqual([1, 0]);
  });

  it('are taken once while an earlier release runs, too', async () => {
    const { pool } = toy.kernel.database;
    const earlier = async () => (await pool.query<{ last: number }>(EARLIER, ['mixed'])).rows.map(({ last }) => last);
    const ids: number[] = [];
    for (let n = 0; n < 200; n++) ids.push(...(n % 7 ? [await other.ids.next(realm, 'mixed')] : await earlier()));
    expect(new Set(ids).size).toBe(ids.length);
    expect(await other.ids.bound(realm, 'mixed')).toBeGreaterThanOrEqual(Math.max(...ids));
  });
});
