import type { GroupId } from '@annals/kernel/domain';
import { given } from '../../../../test/support/events/recorded-events';
import type { GraphEvent } from './events';
import { addSubgroups, graphAggregate, removeSubgroups, supergroupsOf } from './graph';

const ids = (...groups: number[]) => groups as GroupId[];
const group = (id: number) => id as GroupId;

/** The graph after these groups were added to those. */
const nested = (...edges: [number, number][]) =>
  edges.reduce(
    (events, [into, sub]) => [...events, ...addSubgroups(given(graphAggregate, ...events), group(into), ids(sub))],
    [] as GraphEvent[],
  );
const graph = (...edges: [number, number][]) => given(graphAggregate, ...nested(...edges));

describe('groups in groups', () => {
  it('are added by one command, each once', () => {
    expect(addSubgroups(graph([1, 2]), group(1), ids(3, 4))).toMatchObject([
      { type: 'groups.SubgroupsAdded', data: { groupId: 1, subgroupIds: [3, 4] } },
    ]);
    expect(() => addSubgroups(graph([1, 2]), group(1), ids(3, 2))).toThrow('User group 2 is already a subgroup');
    expect(addSubgroups(graph(), group(1), [])).toEqual([]);
  });

  it('are removed if they are direct subgroups', () => {
    const twoDeep = graph([1, 2], [2, 3]);
    expect(removeSubgroups(twoDeep, group(1), ids(2))).toMatchObject([{ data: { groupId: 1, subgroupIds: [2] } }]);
    expect(() => removeSubgroups(twoDeep, group(1), ids(3))).toThrow('User group 3 is not a subgroup');
    expect(removeSubgroups(twoDeep, group(1), [])).toEqual([]);
  });

  it('never make a cycle', () => {
    expect(() => addSubgroups(graph(), group(1), ids(1))).toThrow('inside itself');
    expect(() => addSubgroups(graph([1, 2]), group(2), ids(1))).toThrow('inside itself');
    expect(() => addSubgroups(graph([1, 2], [2, 3], [3, 4]), group(4), ids(5, 1))).toThrow('inside itself');
    expect(addSubgroups(graph([1, 2], [1, 3]), group(2), ids(3))).toHaveLength(1);
  });

  it('may be reversed once they are removed', () => {
    const before = nested([1, 2]);
    const without = [...before, ...removeSubgroups(given(graphAggregate, ...before), group(1), ids(2))];
    expect(addSubgroups(given(graphAggregate, ...without), group(2), ids(1))).toHaveLength(1);
  });

  it('have their direct supergroups', () => {
    expect(supergroupsOf(graph([9, 2], [1, 2], [2, 3]), group(2))).toEqual([1, 9]);
    expect(supergroupsOf(graph([1, 2]), group(1))).toEqual([]);
  });
});
