import type { GroupSetting, SystemGroup, WireGroupSetting } from '@annals/kernel/domain';
import { SYSTEM_GROUPS, presentGroupSetting } from '@annals/kernel/domain';
import { renderDescription } from '@annals/markdown';
import type { GroupSettingName, RealmSettings, RealmTexts, SettingName } from '../domain/settings';
import { settingOf } from '../domain/settings';
import type { SystemGroups } from '../domain/system-groups';
import { systemGroupOf } from '../domain/system-groups';

type WireValue = boolean | number | string | null | WireGroupSetting;

/** -1 in the API is no channel. */
const NO_CHANNEL = -1;

/**
 * Settings in the form of the API under their bare names, together with the values that older clients use instead
 * (contract/boot.md section 5, contract/realtime.md section 6.5).
 *
 * @param isActive whether an account is active. Deactivated users are left out of group settings
 */
export function presentSettings(
  settings: Partial<RealmSettings>,
  texts: Partial<RealmTexts>,
  groups: SystemGroups,
  isActive: (user: number) => boolean,
): Record<string, WireValue> {
  const fields: Record<string, WireValue> = { ...texts };
  if (texts.description !== undefined) fields.rendered_description = renderDescription(texts.description);
  for (const [name, value] of Object.entries(settings)) {
    fields[name] = wireValue(name as SettingName, value, isActive);
  }
  return Object.assign(fields, derived(settings, groups));
}

function wireValue(
  name: SettingName,
  value: RealmSettings[SettingName],
  isActive: (user: number) => boolean,
): WireValue {
  switch (settingOf(name).kind) {
    case 'group':
      return presentGroupSetting(value as GroupSetting, isActive);
    case 'channel':
      return (value as number | null) ?? NO_CHANNEL;
    case 'flag':
    case 'whole':
    case 'one of':
    case 'time limit':
    case 'retention':
    case 'word':
    case 'code language':
    case 'address':
      return value as WireValue;
  }
}

const PUBLIC_POLICY: Policy = { members: 1, administrators: 2, fullmembers: 3, moderators: 4 };
const WEB_PUBLIC_POLICY: Policy = { administrators: 2, moderators: 4, nobody: 6, owners: 7 };
const WILDCARD_POLICY: Policy = {
  everyone: 1,
  members: 2,
  fullmembers: 3,
  administrators: 5,
  nobody: 6,
  moderators: 7,
};

/** Old integers for group settings, each at least as wide as the group. */
const LEGACY_POLICIES: readonly [setting: GroupSettingName, field: string, policy: Policy][] = [
  ['can_create_public_channel_group', 'create_public_stream_policy', PUBLIC_POLICY],
  ['can_create_private_channel_group', 'create_private_stream_policy', PUBLIC_POLICY],
  ['can_create_web_public_channel_group', 'create_web_public_stream_policy', WEB_PUBLIC_POLICY],
  ['can_mention_many_users_group', 'wildcard_mention_policy', WILDCARD_POLICY],
];

function derived(settings: Partial<RealmSettings>, groups: SystemGroups): Record<string, WireValue> {
  const fields: Record<string, WireValue> = {};
  const { topics_policy, message_edit_history_visibility_policy } = settings;
  if (topics_policy !== undefined) fields.mandatory_topics = topics_policy === 'disable_empty_topic';
  if (message_edit_history_visibility_policy !== undefined) {
    fields.allow_edit_history = message_edit_history_visibility_policy !== 'none';
  }
  for (const [setting, field, policy] of LEGACY_POLICIES) {
    const value = settings[setting];
    if (value !== undefined) fields[field] = legacyPolicy(value, policy, groups);
  }
  return fields;
}

type Policy = Readonly<Partial<Record<SystemGroup, number>>>;

/** The first group, from the narrowest, that has a number and contains all of the setting's users. */
function legacyPolicy(value: GroupSetting, policy: Policy, groups: SystemGroups): number {
  const group = typeof value === 'number' ? systemGroupOf(groups, value) : undefined;
  const from = group === undefined ? SYSTEM_GROUPS.length : SYSTEM_GROUPS.indexOf(group);
  const wider = SYSTEM_GROUPS.slice(from).find((name) => policy[name] !== undefined);
  const widest = SYSTEM_GROUPS.findLast((name) => policy[name] !== undefined);
  return policy[wider ?? widest ?? 'everyone'] ?? 1;
}
