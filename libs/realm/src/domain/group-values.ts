import type { GroupSetting, SystemGroup } from '@annals/kernel/domain';
import { normalGroupSetting } from '@annals/kernel/domain';
import { reject } from './rejections';
import type { GroupRule } from './setting-kinds';
import type { SystemGroups } from './system-groups';
import { systemGroupName, systemGroupOf } from './system-groups';

/** @throws Rejected SYSTEM_GROUP_REQUIRED for users and groups if the setting allows one group only */
export function ensureOneGroup(name: string, value: GroupSetting, rule: GroupRule): void {
  if (typeof value !== 'number' && rule.only !== undefined) throw reject.systemGroupRequired({ setting_name: name });
}

/**
 * Converts the value of a group setting to its normal form and checks it against the setting's rule
 * (contract/permissions.md section 3). The caller checks that its users and groups exist.
 *
 * @throws Rejected SYSTEM_GROUP_REQUIRED, or BAD_REQUEST for a system group that is not allowed
 */
export function allowedGroupValue(
  name: string,
  requested: GroupSetting,
  rule: GroupRule,
  groups: SystemGroups,
): GroupSetting {
  const value = normalGroupSetting(requested, groups.nobody);
  ensureOneGroup(name, value, rule);
  const refuse = (group: SystemGroup) => reject.groupNotAllowed({ setting: name, group: systemGroupName(group) });
  if (typeof value !== 'number') {
    if (value.directSubgroups.includes(groups.internet)) throw refuse('internet');
    return value;
  }
  const group = systemGroupOf(groups, value);
  if (group === undefined) {
    if (rule.only !== undefined) throw reject.systemGroupRequired({ setting_name: name });
    return value;
  }
  const allowed =
    group !== 'internet' &&
    (group !== 'nobody' || rule.nobody) &&
    (group !== 'everyone' || rule.everyone) &&
    (typeof rule.only !== 'object' || rule.only.includes(group));
  if (!allowed) throw refuse(group);
  return value;
}
