import type { Aggregate, GroupId } from '@annals/kernel/domain';
import { ascending, fact } from '@annals/kernel/domain';
import type { GraphEvent } from './events';
import { SubgroupsAdded, SubgroupsRemoved } from './events';
import type { Edge } from './nesting';
import { Nesting } from './nesting';
import { reject } from './rejections';

/**
 * Direct subgroups of groups that users created. The nesting of the system groups never changes and contains none of
 * them.
 */
type Graph = ReadonlyMap<GroupId, ReadonlySet<GroupId>>;

/**
 * All edges between groups, as one stream: whether an edge would close a cycle depends on those of other groups
 * (docs/decisions/0009). Its key is always `group-graph`.
 */
export const graphAggregate: Aggregate<Graph, GraphEvent, 'group-graph'> = {
  stream: (key) => key,
  initial: new Map(),
  evolve(graph, { type, data: { groupId, subgroupIds } }) {
    const subgroups = graph.get(groupId) ?? new Set<GroupId>();
    return new Map(graph).set(
      groupId,
      type === 'groups.SubgroupsAdded'
        ? new Set([...subgroups, ...subgroupIds])
        : new Set([...subgroups].filter((id) => !subgroupIds.includes(id))),
    );
  },
};

const edgesOf = (graph: Graph): Edge[] =>
  [...graph].flatMap(([group, subgroups]) => [...subgroups].map((subgroup): Edge => [group, subgroup]));

/** Which of these groups contain which, also indirectly. */
export const nestingOf = (graph: Graph): Nesting => new Nesting(edgesOf(graph));

/** Groups that directly contain this one, ascending. */
export const supergroupsOf = (graph: Graph, group: GroupId): GroupId[] =>
  ascending(nestingOf(graph).directlyAbove(group));

/**
 * Adds groups to another one (contract/groups.md section 3).
 *
 * @param subgroupIds each once. The permission to use them was checked before
 * @throws Rejected BAD_REQUEST for one that is a subgroup already, or that contains the group itself
 */
export function addSubgroups(graph: Graph, groupId: GroupId, subgroupIds: readonly GroupId[]): SubgroupsAdded[] {
  if (subgroupIds.length === 0) return [];
  const already = subgroupIds.find((id) => graph.get(groupId)?.has(id));
  if (already !== undefined) throw reject.alreadySubgroup({ groupId: already });
  const wider = nestingOf(graph).above(groupId);
  if (subgroupIds.some((id) => wider.has(id))) throw reject.circle();
  return [fact(SubgroupsAdded, { groupId, subgroupIds: [...subgroupIds] })];
}

/** @throws Rejected BAD_REQUEST for one that is no direct subgroup */
export function removeSubgroups(graph: Graph, groupId: GroupId, subgroupIds: readonly GroupId[]): SubgroupsRemoved[] {
  if (subgroupIds.length === 0) return [];
  const missing = subgroupIds.find((id) => !graph.get(groupId)?.has(id));
  if (missing !== undefined) throw reject.notSubgroup({ groupId: missing });
  return [fact(SubgroupsRemoved, { groupId, subgroupIds: [...subgroupIds] })];
}
