import type { Instant, RealmId, UserId } from '@annals/kernel/domain';
import fc from 'fast-check';
import { KnownPresences } from './known-presences';
import type { PresenceRow } from './presence-rows';

const row = (userId: number, updateId: number): PresenceRow => ({
  ...{ realmId: 1 as RealmId, userId: userId as UserId, updateId },
  ...{ activeAt: updateId as Instant, connectedAt: updateId as Instant },
});

const idsSince = (known: KnownPresences, update: number) => [...known.since(update, 0)].map(([id]) => id).sort();

describe('presences that changed after an update', () => {
  it('are those whose newest row is later, in whatever order rows become known', () => {
    const writes = fc.array(fc.record({ userId: fc.integer({ min: 1, max: 6 }), late: fc.boolean() }), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(writes, fc.nat({ max: 40 }), (list, update) => {
        const known = new KnownPresences();
        const rows = list.map(({ userId }, n) => row(userId, n + 1));
        const own = rows.filter((_, n) => list[n]?.late === false);
        for (const one of own) {
          known.ping(one.userId, one);
          known.written({ userId: one.userId, presence: one }, one);
        }
        known.read(rows, 0 as Instant, () => true);
        const newest = new Map(rows.map((one) => [one.userId, one.updateId]));
        const after = update > known.head ? -1 : update;
        const expected = [...newest].filter(([, at]) => at > after).map(([id]) => id);
        expect(idsSince(known, update)).toEqual(expected.sort());
      }),
    );
  });
});

describe('the text of a list', () => {
  const text = (known: KnownPresences) => known.text('key', () => idsSince(known, 0).join());

  it('is written again after each change while few users are present', () => {
    const known = new KnownPresences();
    known.read([row(1, 1)], 0 as Instant, () => true);
    expect(text(known)).toEqual({ text: '1', head: 1 });
    known.read([row(2, 2)], 0 as Instant, () => true);
    expect(text(known)).toEqual({ text: '1,2', head: 2 });
  });

  it('keeps the update of its moment in a large organization, so that the next request names no later one', () => {
    const known = new KnownPresences();
    const many = Array.from({ length: 1_001 }, (_, n) => row(n + 1, 1));
    known.read(many, 0 as Instant, () => true);
    const before = text(known);
    known.read([row(2_000, 2)], 0 as Instant, () => true);
    expect(text(known)).toBe(before);
    expect(before.head).toBe(1);
    expect(idsSince(known, before.head)).toEqual([2_000]);
  });

  it('is never kept for a user who left', () => {
    const known = new KnownPresences();
    known.read(
      Array.from({ length: 1_002 }, (_, n) => row(n + 1, 1)),
      0 as Instant,
      () => true,
    );
    text(known);
    known.forget(7 as UserId);
    expect(text(known).text.split(',')).not.toContain('7');
  });
});
