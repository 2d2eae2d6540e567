import type { GroupId, GroupSetting, UserId } from '@annals/kernel/domain';
import type { UserGroupSetting, UserGroupSettings } from './events';
import { USER_GROUP_SETTINGS } from './events';

interface SettingRule {
  /** Value for a new group: a system group, or the user who creates it. */
  readonly initially: 'nobody' | 'everyone' | 'creator';
  /** Whether `role:everyone` may be its value. If not, guests never have the permission. */
  readonly everyone: boolean;
  readonly nobody: true;
}

/** Contract/groups.md section 1. */
const SETTING_RULES: Readonly<Record<UserGroupSetting, SettingRule>> = {
  can_add_members_group: { initially: 'creator', everyone: false, nobody: true },
  can_join_group: { initially: 'nobody', everyone: false, nobody: true },
  can_leave_group: { initially: 'everyone', everyone: true, nobody: true },
  can_manage_group: { initially: 'creator', everyone: false, nobody: true },
  can_mention_group: { initially: 'everyone', everyone: true, nobody: true },
  can_remove_members_group: { initially: 'nobody', everyone: false, nobody: true },
};

export const ruleOf = (name: UserGroupSetting): SettingRule => SETTING_RULES[name];

/** The settings of a new group. */
export function initialGroupSettings(
  groups: { readonly nobody: GroupId; readonly everyone: GroupId },
  creator: UserId,
): UserGroupSettings {
  const values = USER_GROUP_SETTINGS.map((name): [string, GroupSetting] => {
    const { initially } = SETTING_RULES[name];
    return [name, initially === 'creator' ? { directMembers: [creator], directSubgroups: [] } : groups[initially]];
  });
  return Object.fromEntries(values) as UserGroupSettings;
}

/** Whether the value is this group, or contains it beside others. */
export const uses = (value: GroupSetting, group: GroupId): boolean =>
  typeof value === 'number' ? value === group : value.directSubgroups.includes(group);
