import type { Instant, RealmId, SystemGroup, UserId } from '@annals/kernel/domain';
import { Role } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import { directSystemGroups, isFullMember } from '../domain/system-groups';

/** An account and the system groups that it is in by its role. */
interface Placed {
  readonly userId: UserId;
  readonly groups: readonly SystemGroup[];
}

/**
 * The direct members of system groups, ascending: active accounts by their role.
 *
 * @param names of the groups. The accounts of the widest of them are read
 * @param waitingPeriod days until a member counts as a full member
 */
export async function readRoleMembers(
  client: Pool | ClientBase,
  realmId: RealmId,
  names: readonly SystemGroup[],
  waitingPeriod: number,
  at: Instant,
): Promise<readonly Placed[]> {
  const roles = Object.values(Role).filter((role) =>
    directSystemGroups(role, true).some((name) => names.includes(name)),
  );
  if (roles.length === 0) return [];
  const people = await readPeople(client, realmId, roles);
  const placed = people.map((person) => {
    const groups = directSystemGroups(person.role, isFullMember(person, waitingPeriod, at));
    return { userId: person.userId, groups: groups.filter((name) => names.includes(name)) };
  });
  return placed.filter(({ groups }) => groups.length > 0);
}

interface Person {
  readonly userId: UserId;
  readonly role: Role;
  readonly joinedAt: Instant;
}

/** Roles above member have few accounts and an index. A read of members needs nearly all accounts. */
async function readPeople(client: Pool | ClientBase, realmId: RealmId, roles: readonly Role[]): Promise<Person[]> {
  const areFew = roles.every((role) => role < Role.member);
  const { rows } = await client.query<Person>({
    name: areFew ? 'groups-high-role-members' : 'groups-role-members',
    text: `SELECT user_id AS "userId", role, joined_at AS "joinedAt" FROM view.users
      WHERE realm_id = $1 AND is_active AND NOT is_system_bot ${areFew ? 'AND role < 400' : ''}
        AND role = ANY($2::int2[]) ORDER BY user_id`,
    values: [realmId, roles],
  });
  return rows;
}
