import type { GroupId } from '@annals/kernel/domain';
import { Nesting } from './nesting';

const id = (group: number) => group as GroupId;
const nesting = new Nesting([
  [id(1), id(2)],
  [id(1), id(3)],
  [id(2), id(4)],
  [id(3), id(4)],
]);
const sorted = (groups: Iterable<GroupId>) => [...groups].sort((a, b) => a - b);

describe('nesting', () => {
  it('returns all supergroups, and the group itself', () => {
    expect(sorted(nesting.above(id(4)))).toEqual([1, 2, 3, 4]);
    expect(sorted(nesting.above(id(1)))).toEqual([1]);
    expect(sorted(nesting.directlyAbove(id(4)))).toEqual([2, 3]);
  });

  it('returns all subgroups, and the group itself', () => {
    expect(sorted(nesting.below(id(1)))).toEqual([1, 2, 3, 4]);
    expect(sorted(nesting.below(id(9)))).toEqual([9]);
    expect(sorted(nesting.directlyBelow(id(1)))).toEqual([2, 3]);
    expect(nesting.directlyBelow(id(4))).toEqual([]);
  });

  it('returns all groups of a member of some groups', () => {
    expect(sorted(nesting.reachedFrom([id(2), id(9)]))).toEqual([1, 2, 9]);
    expect(nesting.reachedFrom([id(2)])).toBe(nesting.above(id(2)));
    expect(sorted(nesting.reachedFrom([]))).toEqual([]);
    expect(nesting.reachedFrom([id(2), id(9)])).toBe(nesting.reachedFrom([id(2), id(9)]));
    expect(sorted(nesting.reachedFrom([id(2), id(3)]))).toEqual([1, 2, 3]);
  });

  it('visits each group once for a member of many nested groups', () => {
    const ids = Array.from({ length: 200 }, (_, n) => id(n + 1));
    const chain = new Nesting(ids.slice(1).map((inner, n) => [id(n + 1), inner]));
    const innermostFirst = [...ids].reverse();
    expect(chain.reachedFrom(ids).size).toBe(200);
    const add = jest.spyOn(Set.prototype, 'add');
    const reached = chain.reachedFrom(innermostFirst);
    const adds = add.mock.calls.length;
    add.mockRestore();
    expect(reached.size).toBe(200);
    expect(adds).toBeLessThanOrEqual(200);
  });
});
