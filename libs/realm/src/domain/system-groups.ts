import type { GroupId, SystemGroup } from '@annals/kernel/domain';
import { SYSTEM_GROUPS, groupId, t } from '@annals/kernel/domain';

/** The ids of the system groups in one organization. */
export type SystemGroups = Readonly<Record<SystemGroup, GroupId>>;

export const systemGroupsSchema = t.Unsafe<SystemGroups>(
  t.Object(Object.fromEntries(SYSTEM_GROUPS.map((name) => [name, groupId]))),
);

/** Their names in the API. Clients find the groups by them. */
export const systemGroupName = <Name extends SystemGroup>(name: Name): `role:${Name}` => `role:${name}`;

/** The system group with an id, if any. */
export const systemGroupOf = (groups: SystemGroups, id: GroupId): SystemGroup | undefined =>
  SYSTEM_GROUPS.find((name) => groups[name] === id);
