import type { GroupId, Instant, SystemGroup } from '@annals/kernel/domain';
import { DAY_MS, Role, SYSTEM_GROUPS, fact } from '@annals/kernel/domain';
import type { SystemGroupCreated as Created, UserGroupSetting } from './events';
import { SystemGroupCreated, USER_GROUP_SETTINGS } from './events';

type Ids = Readonly<Record<SystemGroup, GroupId>>;

/** Those with members. Each has the one before it as its only subgroup (permissions.md section 2). */
const WIDENING: readonly SystemGroup[] = SYSTEM_GROUPS.filter((name) => name !== 'nobody');

const DESCRIPTIONS: Readonly<Record<SystemGroup, string>> = {
  nobody: 'Nobody',
  owners: 'Owners of this organization',
  administrators: 'Administrators of this organization, including owners',
  moderators: 'Moderators of this organization, including administrators',
  fullmembers: 'Members of this organization, not including new accounts and guests',
  members: 'Members of this organization, not including guests',
  everyone: 'Everyone in this organization, including guests',
  internet: 'Everyone on the Internet',
};

/** The names of system groups in texts that mention them. */
const DISPLAY_NAMES: Readonly<Record<SystemGroup, string>> = {
  nobody: 'Nobody',
  owners: 'Owners',
  administrators: 'Administrators',
  moderators: 'Moderators',
  fullmembers: 'Full members',
  members: 'Members',
  everyone: 'Everyone',
  internet: 'Everyone on the internet',
};

/** The name of a group that users read; the name of a system group is for programs. */
export const displayName = (group: { readonly name: string; readonly systemName: SystemGroup | null }): string =>
  group.systemName === null ? group.name : DISPLAY_NAMES[group.systemName];

export const systemDescription = (name: SystemGroup): string => DESCRIPTIONS[name];

/** The groups of a new organization, in the order of their ids. */
export function createSystemGroups(ids: Ids): Created[] {
  const nobody = Object.fromEntries(USER_GROUP_SETTINGS.map((name) => [name, ids.nobody]));
  const settings = nobody as Readonly<Record<UserGroupSetting, GroupId>>;
  const names = Object.keys(ids) as SystemGroup[];
  return names
    .sort((a, b) => ids[a] - ids[b])
    .map((systemName) => {
      const narrower = WIDENING[WIDENING.indexOf(systemName) - 1];
      const directSubgroups = narrower === undefined ? [] : [ids[narrower]];
      return fact(SystemGroupCreated, { groupId: ids[systemName], systemName, directSubgroups, settings });
    });
}

/** The time after which a user who joined is not a full member yet. @param waitingPeriod days */
export const waitingSince = (waitingPeriod: number, at: Instant): Instant => (at - waitingPeriod * DAY_MS) as Instant;

/**
 * Whether a user is a full member (contract/permissions.md section 1).
 *
 * @param waitingPeriod days
 */
export const isFullMember = (
  { role, joinedAt }: { readonly role: Role; readonly joinedAt: Instant },
  waitingPeriod: number,
  at: Instant,
): boolean => role < Role.member || (role === Role.member && joinedAt <= waitingSince(waitingPeriod, at));

/** The system groups that an account with this role is a direct member of (contract/boot.md section 5.2). */
export function directSystemGroups(role: Role, isFull: boolean): SystemGroup[] {
  switch (role) {
    case Role.owner:
      return ['owners'];
    case Role.administrator:
      return ['administrators'];
    case Role.moderator:
      return ['moderators'];
    case Role.member:
      return isFull ? ['members', 'fullmembers'] : ['members'];
    case Role.guest:
      return ['everyone'];
  }
}

/** Of the system groups that an account with this role is in, the one that all others contain. */
export function narrowestSystemGroup(role: Role, isFull: boolean): SystemGroup {
  const [narrowest] = allSystemGroups(role, isFull);
  if (narrowest === undefined) throw new Error(`role ${role} is in no group`);
  return narrowest;
}

/** All system groups that an account with this role is in, also through subgroups. */
export function allSystemGroups(role: Role, isFull: boolean): readonly SystemGroup[] {
  const direct = directSystemGroups(role, isFull).map((name) => WIDENING.indexOf(name));
  return WIDENING.slice(Math.min(...direct));
}
