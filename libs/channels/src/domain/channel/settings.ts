import type { GroupId, GroupSetting, UserId } from '@annals/kernel/domain';
import { groupSetting, t } from '@annals/kernel/domain';

/** Ids of the system groups in rules about channels (contract/permissions.md section 2). */
export interface SystemGroupIds {
  readonly nobody: GroupId;
  readonly administrators: GroupId;
  readonly moderators: GroupId;
  readonly fullmembers: GroupId;
  readonly everyone: GroupId;
}

interface SettingRule {
  /** Value of a new channel: a system group, or the user who creates it. */
  readonly initially: 'nobody' | 'administrators' | 'everyone' | 'creator';
  /** Whether `role:everyone` may be its value. If not, guests never have the permission. */
  readonly everyone: boolean;
}

/** The permission settings of a channel (contract/permissions.md section 4), all of which may be `role:nobody`. */
const SETTING_RULES = {
  can_add_subscribers_group: { initially: 'nobody', everyone: false },
  can_administer_channel_group: { initially: 'creator', everyone: false },
  can_create_topic_group: { initially: 'everyone', everyone: true },
  can_delete_any_message_group: { initially: 'nobody', everyone: true },
  can_delete_own_message_group: { initially: 'nobody', everyone: true },
  can_move_messages_out_of_channel_group: { initially: 'nobody', everyone: true },
  can_move_messages_within_channel_group: { initially: 'nobody', everyone: true },
  can_remove_subscribers_group: { initially: 'administrators', everyone: false },
  can_resolve_topics_group: { initially: 'nobody', everyone: true },
  can_send_message_group: { initially: 'everyone', everyone: true },
  can_subscribe_group: { initially: 'nobody', everyone: false },
} as const satisfies Readonly<Record<string, SettingRule>>;

export type ChannelSetting = keyof typeof SETTING_RULES;
export type ChannelSettings = Readonly<Record<ChannelSetting, GroupSetting>>;
export const CHANNEL_SETTINGS = Object.keys(SETTING_RULES) as readonly ChannelSetting[];

/**
 * Settings that give access to the content. Only users with access may change them (contract/permissions.md section 4).
 */
export const CONTENT_SETTINGS: ReadonlySet<ChannelSetting> = new Set([
  'can_add_subscribers_group',
  'can_subscribe_group',
]);

const rule = (name: ChannelSetting): SettingRule => SETTING_RULES[name];
const settingsOf = (of: (name: ChannelSetting) => unknown) =>
  Object.fromEntries(CHANNEL_SETTINGS.map((name) => [name, of(name)]));

/** Schema of the settings inside an event: all eleven, with their present values. */
export const channelSettings = t.Unsafe<ChannelSettings>(
  t.Object(settingsOf(() => groupSetting) as Record<ChannelSetting, typeof groupSetting>),
);

/** The allowed system groups. `role:internet` never is one (contract/permissions.md section 3). */
export const allowedGroups = (name: ChannelSetting): { everyone: boolean; nobody: true } => ({
  everyone: rule(name).everyone,
  nobody: true,
});

/** The settings of a new channel. @param creator null for a channel of the system */
export function initialChannelSettings(groups: SystemGroupIds, creator: UserId | null): ChannelSettings {
  return settingsOf((name): GroupSetting => {
    const { initially } = rule(name);
    if (initially !== 'creator') return groups[initially];
    return creator === null ? groups.nobody : { directMembers: [creator], directSubgroups: [] };
  }) as ChannelSettings;
}
