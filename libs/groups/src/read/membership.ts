import type { GroupId, UserId } from '@annals/kernel/domain';
import type { Moment } from './group-history';
import { readGroupHistory } from './group-history';
import type { HistoryReader } from './spans';
import { readRoleHistory } from './spans';

/** Tells who was in a group, directly or through subgroups, right after an event. Who had left is in none. */
export type Membership = (group: GroupId, user: UserId, on: Moment) => boolean;

const NOBODY: Membership = () => false;

/**
 * @param groups those that will be asked about; none costs no query
 * @param users those who will be asked about; null for everybody
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
