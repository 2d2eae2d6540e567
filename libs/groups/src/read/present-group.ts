import type { GroupSetting, UserId } from '@annals/kernel/domain';
import { presentGroupSetting, unixSeconds } from '@annals/kernel/domain';
import { USER_GROUP_SETTINGS } from '../domain/events';
import type { ListedGroup } from './list-groups';

/** The value of a setting in the API. @param departed deactivated users, who are left out */
export const presentSetting = (value: GroupSetting, departed: ReadonlySet<UserId>) =>
  presentGroupSetting(value, (user) => !departed.has(user as UserId));

/** The group object of the API (contract/groups.md section 1). */
export const presentGroup = ({ group, members, departed }: ListedGroup) => ({
  id: group.groupId,
  name: group.name,
  description: group.description,
  date_created: unixSeconds(group.createdAt),
  creator_id: group.creatorId,
  members,
  direct_subgroup_ids: group.directSubgroups,
  is_system_group: group.systemName !== null,
  deactivated: group.isDeactivated,
  ...Object.fromEntries(USER_GROUP_SETTINGS.map((name) => [name, presentSetting(group.settings[name], departed)])),
});
