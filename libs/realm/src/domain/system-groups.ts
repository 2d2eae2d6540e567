import type { GroupId } from '@annals/kernel/domain';
import { groupId, t } from '@annals/kernel/domain';

/**
 * The groups of every organization, from the narrowest to the widest, which is also the order of their creation
 * (contract/permissions.md section 2).
 */
export const SYSTEM_GROUPS = [
  'nobody',
  'owners',
  'administrators',
  'moderators',
  'fullmembers',
  'members',
  'everyone',
  'internet',
] as const;
export type SystemGroup = (typeof SYSTEM_GROUPS)[number];

/** Their ids in one organization. */
export type SystemGroups = Readonly<Record<SystemGroup, GroupId>>;

export const systemGroupsSchema = t.Unsafe<SystemGroups>(
  t.Object(Object.fromEntries(SYSTEM_GROUPS.map((name) => [name, groupId]))),
);

/** Their names in the API. Clients find the groups by them. */
export const systemGroupName = <Name extends SystemGroup>(name: Name): `role:${Name}` => `role:${name}`;

/** The system group with an id, if any. */
export const systemGroupOf = (groups: SystemGroups, id: GroupId): SystemGroup | undefined =>
  SYSTEM_GROUPS.find((name) => groups[name] === id);
