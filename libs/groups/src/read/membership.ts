import type { GroupId, Instant, RealmId, UserId } from '@annals/kernel/domain';
import { readRealm } from '@annals/realm';
import { readAllUsers } from '@annals/users';
import type { ClientBase } from 'pg';
import { allSystemGroups, isFullMember } from '../domain/system-groups';

/** Tells who is in a group. */
export type Membership = (group: GroupId, user: UserId) => boolean;

const NOBODY: Membership = () => false;

/**
 * Who is in these groups, directly or through subgroups, with the roles of now.
 *
 * @param groups those that will be asked about; none costs no query
 * @param at when, since time makes full members
 */
export async function readMembership(
  client: ClientBase,
  realmId: RealmId,
  groups: readonly GroupId[],
  at: Instant,
): Promise<Membership> {
  if (groups.length === 0) return NOBODY;
  const realm = await readRealm(client, realmId);
  if (!realm) throw new Error(`realm ${realmId} does not exist`);
  const { systemGroups, settings } = realm;
  const members = new Set<string>();
  for (const user of await readAllUsers(client, realmId)) {
    if (!user.isActive || user.isSystemBot) continue;
    const isFull = isFullMember(user, settings.waiting_period_threshold, at);
    for (const name of allSystemGroups(user.role, isFull)) members.add(`${systemGroups[name]}:${user.userId}`);
  }
  return (group, user) => members.has(`${group}:${user}`);
}
