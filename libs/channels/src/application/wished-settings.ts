import type { Work } from '@annals/kernel';
import type { GroupSetting } from '@annals/kernel/domain';
import type { GroupValues } from '@annals/groups';
import type { SystemGroups } from '@annals/realm';
import { allowedGroupValue } from '@annals/realm';
import type { ChannelSetting } from '../domain/settings';
import { CHANNEL_SETTINGS, allowedGroups } from '../domain/settings';

export type WishedSettings = Readonly<Partial<Record<ChannelSetting, GroupSetting>>>;

/**
 * Brings wished permission settings into the form they are stored in (contract/permissions.md sections 3 and 4).
 *
 * @throws Rejected BAD_REQUEST for groups and people that do not exist or that the setting does not allow
 */
export async function checkedSettings(
  work: Work,
  wished: WishedSettings,
  systemGroups: SystemGroups,
  values: Pick<GroupValues, 'ensureKnown'>,
): Promise<WishedSettings> {
  const checked: Partial<Record<ChannelSetting, GroupSetting>> = {};
  for (const name of CHANNEL_SETTINGS) {
    const wish = wished[name];
    if (wish === undefined) continue;
    const value = allowedGroupValue(name, wish, allowedGroups(name), systemGroups);
    await values.ensureKnown(work, value);
    checked[name] = value;
  }
  return checked;
}
