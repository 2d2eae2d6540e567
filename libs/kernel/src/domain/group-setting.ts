import { t } from './schema';
import type { UserId } from './ids';
import type { Static } from './schema';
import { groupId, userId } from './schema';

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

const anonymousGroup = t.Object({ directMembers: t.Array(userId), directSubgroups: t.Array(groupId) });

/** Schema of a group setting inside an event: a named group's id, or an anonymous group with both lists ascending. */
export const groupSetting = t.Union([groupId, anonymousGroup]);

/** Users who have a permission: a named group, or these people and groups (INTERFACE.md 2.4). */
export type GroupSetting = Static<typeof groupSetting>;

/** The form of a group setting in the API (contract/permissions.md section 3). */
export type WireGroupSetting = number | { direct_members: number[]; direct_subgroups: number[] };

/** @param isActive whether an account is active. Deactivated accounts are left out */
export function presentGroupSetting(setting: GroupSetting, isActive: (user: number) => boolean): WireGroupSetting {
  if (typeof setting === 'number') return setting;
  return {
    direct_members: setting.directMembers.filter(isActive),
    direct_subgroups: [...setting.directSubgroups],
  };
}

/** People whom values list one by one, each once. */
export const namedBy = (values: Iterable<GroupSetting>): UserId[] => {
  const named = new Set<UserId>();
  for (const value of values) if (typeof value !== 'number') for (const user of value.directMembers) named.add(user);
  return [...named];
};

/** The same for all settings of several things. */
export const namedInSettings = (
  things: Iterable<{ readonly settings: Readonly<Record<string, GroupSetting>> }>,
): UserId[] => namedBy([...things].flatMap(({ settings }) => Object.values(settings)));

const byNumber = (a: number, b: number) => a - b;

/**
 * The normal form of a value: sorted, without duplicates. An object with exactly one subgroup and no member becomes
 * that group, and an empty object becomes `nobody` (contract/permissions.md section 3).
 */
export function normalGroupSetting(setting: GroupSetting, nobody: GroupSetting & number): GroupSetting {
  if (typeof setting === 'number') return setting;
  const directMembers = [...new Set(setting.directMembers)].sort(byNumber);
  const directSubgroups = [...new Set(setting.directSubgroups)].sort(byNumber);
  if (directMembers.length > 0 || directSubgroups.length > 1) return { directMembers, directSubgroups };
  return directSubgroups[0] ?? nobody;
}

/** Equality as sets. An anonymous group never equals a named one. */
export function sameGroupSetting(a: GroupSetting, b: GroupSetting): boolean {
  if (typeof a === 'number' || typeof b === 'number') return a === b;
  return sameSet(a.directMembers, b.directMembers) && sameSet(a.directSubgroups, b.directSubgroups);
}

function sameSet(a: readonly number[], b: readonly number[]): boolean {
  const left = new Set(a);
  return left.size === new Set(b).size && b.every((value) => left.has(value));
}
