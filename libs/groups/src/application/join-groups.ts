import type { Work } from '@annals/kernel';
import type { GroupId, UserId } from '@annals/kernel/domain';
import { addMembers } from '../domain/decisions';
import { groupAggregate } from '../domain/group';

/**
 * Makes a new account a direct member of groups. The caller checks permissions. Groups that were deactivated meanwhile,
 * and system groups, are left out.
 */
export async function joinGroups(work: Work, userId: UserId, groupIds: readonly GroupId[]): Promise<void> {
  for (const groupId of new Set(groupIds)) {
    await work.decide(groupAggregate, groupId, (group) =>
      group && !group.isSystemGroup && !group.isDeactivated ? addMembers(group, [userId]) : [],
    );
  }
  work.touchesRows(groupIds.length);
}
