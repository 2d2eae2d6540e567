import type { Instant, RealmId, Role, UserId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import type { SystemName } from '../domain/system-groups';
import { directSystemGroups, isFullMember } from '../domain/system-groups';

interface Person {
  readonly userId: UserId;
  readonly role: Role;
  readonly joinedAt: Instant;
}

/**
 * The direct members of the system groups, ascending: active accounts by their role.
 *
 * @param waitingPeriod days until a member counts as a full member
 */
export async function readRoleMembers(
  client: Pool | ClientBase,
  realmId: RealmId,
  waitingPeriod: number,
  at: Instant,
): Promise<ReadonlyMap<SystemName, readonly UserId[]>> {
  const { rows } = await client.query<Person>({
    name: 'groups-role-members',
    text: `SELECT user_id AS "userId", role, joined_at AS "joinedAt" FROM view.users
      WHERE realm_id = $1 AND is_active AND NOT is_system_bot ORDER BY user_id`,
    values: [realmId],
  });
  const members = new Map<SystemName, UserId[]>();
  for (const person of rows) {
    for (const name of directSystemGroups(person.role, isFullMember(person, waitingPeriod, at))) {
      const list = members.get(name) ?? [];
      list.push(person.userId);
      members.set(name, list);
    }
  }
  return members;
}
