import type { GroupId, LogPoint, UserId } from '@annals/kernel/domain';
import { readGroupHistory } from './group-history';
import type { HistoryReader } from './spans';
import { readRoleHistory } from './spans';

/** The members of a group, directly or through subgroups, right after an event. Deactivated users are in none. */
export type GroupMembership = (group: GroupId, user: UserId, on: LogPoint) => boolean;

const NOBODY: GroupMembership = () => false;

/**
 * @param groups the groups of later queries. None costs no query
 * @param users the users of later queries. Null for all
 */
export async function readMembership(
  reader: HistoryReader,
  groups: readonly GroupId[],
  users: readonly UserId[] | null,
): Promise<GroupMembership> {
  if (groups.length === 0) return NOBODY;
  const history = await readGroupHistory(reader, users);
  const roleAt = await readRoleHistory(reader, users);
  return (group, userId, on) => {
    const role = roleAt(userId, on.position);
    return role !== null && history.groupsOf({ userId, role }, on).has(group);
  };
}
