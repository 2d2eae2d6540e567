import type { Work } from '@annals/kernel';
import type { GroupSetting } from '@annals/kernel/domain';
import type { SystemGroups } from '@annals/realm';
import { allowedGroupValue } from '@annals/realm';
import type { UserGroupSetting } from '../domain/events';
import { SETTING_RULES } from '../domain/settings';
import type { GroupValues } from './group-values';

/**
 * Brings a wished permission setting of a group into the form it is stored in (contract/permissions.md section 3).
 *
 * @throws Rejected BAD_REQUEST for groups and people that do not exist or that the setting does not allow
 */
export async function checkedSetting(
  work: Work,
  [name, wish]: readonly [UserGroupSetting, GroupSetting],
  systemGroups: SystemGroups,
  values: GroupValues,
): Promise<GroupSetting> {
  const value = allowedGroupValue(name, wish, SETTING_RULES[name], systemGroups);
  await values.ensureKnown(work, value);
  return value;
}
