import type { Append } from './append';
import type { BatchPlan } from './batch';
import { Contention } from './contention';

const appends = (...realms: number[]): Append[] => realms.map((realmId) => ({ realmId }) as unknown as Append);
const batch = (held: number[], passedOver: number[] = []): BatchPlan =>
  ({
    heads: new Map(held.map((realmId) => [realmId, {}])),
    passedOver: appends(...passedOver),
  }) as unknown as BatchPlan;

describe('contention about heads', () => {
  it('makes a lane wait for the lowest realm if others hold most of a batch', () => {
    const contention = new Contention();
    expect(contention.waitsFor(appends(3, 2, 4))).toBeNull();
    contention.note(batch([4], [3, 2]));
    expect(contention.isHigh).toBe(true);
    expect(contention.waitsFor(appends(3, 2, 4))).toBe(2);
    expect(contention.waitsFor(appends(5, 4))).toBe(4);
  });

  it('does not make a lane wait if others hold a few, or for a realm that is the whole batch', () => {
    const contention = new Contention();
    contention.note(batch([1, 2, 3], [4, 5]));
    contention.note(batch([], [4]));
    expect(contention.waitsFor(appends(1, 4))).toBeNull();
    contention.note(batch([], [4, 5]));
    expect(contention.waitsFor(appends(4, 4))).toBeNull();
    expect(contention.waitsFor(appends(4, 5))).toBe(4);
  });

  it('ends after some batches without it, and not before', () => {
    const contention = new Contention();
    contention.note(batch([], [1, 2]));
    for (let n = 0; n < 31; n++) contention.note(batch([1, 2]));
    expect(contention.isHigh).toBe(true);
    contention.note(batch([1, 2]));
    expect(contention.isHigh).toBe(false);
    expect(contention.waitsFor(appends(1, 2))).toBeNull();
  });

  it('makes a lane wait once for a realm that was passed over eight times in a row', () => {
    const contention = new Contention();
    for (let n = 0; n < 7; n++) contention.note(batch([1, 3], [2]));
    contention.note(batch([1, 2, 3]));
    for (let n = 0; n < 7; n++) contention.note(batch([1, 3], [2]));
    expect(contention.waitsFor(appends(1, 2, 3))).toBeNull();
    contention.note(batch([1, 3], [2]));
    expect(contention.waitsFor(appends(1, 2, 3))).toBe(2);
    expect(contention.waitsFor(appends(1, 2, 3))).toBeNull();
  });
});
