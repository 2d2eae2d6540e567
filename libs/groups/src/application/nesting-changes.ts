import type { Work } from '@annals/kernel';
import type { GroupId } from '@annals/kernel/domain';
import { organization } from '@annals/realm';
import { reject } from '../domain/rejections';
import { addSubgroups, graphAggregate, removeSubgroups } from '../domain/graph';
import { activeGroup } from './group-values';

/**
 * Adds subgroups to a group, each once. `role:nobody` is in no group, and `role:internet` has no permissions
 * (contract/permissions.md sections 2 and 3).
 *
 * @throws Rejected BAD_REQUEST (contract/groups.md section 3)
 */
export async function nest(work: Work, group: GroupId, subgroups: readonly GroupId[]): Promise<void> {
  const { systemGroups } = await organization(work);
  for (const id of subgroups) {
    await activeGroup(work, id);
    if (id === systemGroups.nobody || id === systemGroups.internet) throw reject.notASubgroup();
  }
  if (subgroups.length === 0) return;
  await work.decide(graphAggregate, 'group-graph', (graph) => addSubgroups(graph, group, subgroups));
}

/** Removes subgroups from a group, each once. @throws Rejected BAD_REQUEST (contract/groups.md section 3) */
export async function unnest(work: Work, group: GroupId, subgroups: readonly GroupId[]): Promise<void> {
  for (const id of subgroups) await activeGroup(work, id);
  if (subgroups.length === 0) return;
  await work.decide(graphAggregate, 'group-graph', (graph) => removeSubgroups(graph, group, subgroups));
}
