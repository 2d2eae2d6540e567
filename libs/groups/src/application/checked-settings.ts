import type { Work } from '@annals/kernel';
import type { GroupSetting } from '@annals/kernel/domain';
import type { GroupRule, SystemGroups } from '@annals/realm';
import { allowedGroupValue } from '@annals/realm';
import type { GroupValues } from './group-values';

/**
 * Converts requested permission settings to the stored form (contract/permissions.md sections 3 and 4).
 *
 * @param ruleOf the groups that each setting may have
 * @throws Rejected BAD_REQUEST for groups and users that do not exist or that the setting does not allow
 */
export async function checkedSettings<Name extends string>(
  work: Work,
  requested: Readonly<Partial<Record<Name, GroupSetting>>>,
  ruleOf: (name: Name) => GroupRule,
  systemGroups: SystemGroups,
  values: Pick<GroupValues, 'ensureKnown'>,
): Promise<Partial<Record<Name, GroupSetting>>> {
  const checked: Partial<Record<Name, GroupSetting>> = {};
  for (const [name, input] of Object.entries(requested) as [Name, GroupSetting][]) {
    const value = allowedGroupValue(name, input, ruleOf(name), systemGroups);
    await values.ensureKnown(work, value);
    checked[name] = value;
  }
  return checked;
}
