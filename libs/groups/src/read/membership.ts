import type { GroupId, UserId } from '@annals/kernel/domain';
import type { Moment } from './group-history';
import { readGroupHistory } from './group-history';
import type { HistoryReader } from './spans';
import { readRoleHistory } from './spans';

/** The members of a group, directly or through subgroups, right after an event. Deactivated users are in none. */
export type Membership = (group: GroupId, user: UserId, on: Moment) => boolean;

const NOBODY: Membership = () => false;

/**
 * @param groups the groups of later queries. None costs no query
 * @param users the users of later queries. Null for all
 */
export async function readMembership(
  reader: HistoryReader,
  groups: readonly GroupId[],
  users: readonly UserId[] | null,
): Promise<Membership> {
  if (groups.length === 0) return NOBODY;
  const history = await readGroupHistory(reader, users);
  const roleAt = await readRoleHistory(reader, users);
  return (group, userId, on) => {
    const role = roleAt(userId, on.position);
    return role !== null && history.groupsOf({ userId, role }, on).has(group);
  };
}
