import type { Work } from '@annals/kernel';
import type { Actor, GroupId } from '@annals/kernel/domain';
import { ensure } from '@annals/kernel/domain';
import { organization } from '@annals/realm';
import { changeableGroup } from '../domain/decisions';
import { groupAggregate } from '../domain/group';
import { mayAdd } from '../domain/policies';
import { reject } from '../domain/rejections';

/** Nobody who has an account. */
const NEWCOMERS = { userIds: [], withSubgroups: false };

/**
 * For people who have no account yet. The append depends on the groups.
 *
 * @throws Rejected BAD_REQUEST unless the actor may add others to each of these groups
 */
export async function ensureMayAddOthers(work: Work, groupIds: readonly GroupId[]): Promise<void> {
  if (groupIds.length === 0) return;
  const { settings } = await organization(work);
  const rules = { canManageAll: settings.can_manage_all_groups };
  for (const found of await work.readAll(groupAggregate, groupIds)) {
    const group = changeableGroup(found);
    if (group.isDeactivated) throw reject.groupDeactivated();
    ensure(mayAdd(group, NEWCOMERS, work.actor, rules));
  }
}

/** Those of the groups to which somebody may add people who have no account yet. The append depends on the groups. */
export async function groupsToAddOthers(
  work: Work,
  groupIds: readonly GroupId[],
  by: Pick<Actor, 'userId' | 'role' | 'groups'>,
): Promise<GroupId[]> {
  if (groupIds.length === 0) return [];
  const { settings } = await organization(work);
  const rules = { canManageAll: settings.can_manage_all_groups };
  const found = await work.readAll(groupAggregate, groupIds);
  return groupIds.filter((_, n) => {
    const group = found[n];
    if (!group || group.isSystemGroup || group.isDeactivated) return false;
    return mayAdd(group, NEWCOMERS, by, rules).allowed;
  });
}
