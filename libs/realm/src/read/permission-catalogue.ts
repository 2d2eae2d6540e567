import type { SystemGroup } from '@annals/kernel/domain';
import { SYSTEM_GROUPS } from '@annals/kernel/domain';
import { GROUP_SETTING_NAMES, SETTINGS } from '../domain/settings';
import type { GroupRule } from '../domain/setting-kinds';
import { systemGroupName } from '../domain/system-groups';

/** A default that is no system group: the user who creates the thing. */
type PseudoGroup = 'channel_creator' | 'group_creator';
type Row = readonly [initial: SystemGroup | PseudoGroup, everyone: boolean];

/** Contract/permissions.md section 4. */
const CHANNEL_SETTINGS: Readonly<Record<string, Row>> = {
  can_add_subscribers_group: ['nobody', false],
  can_administer_channel_group: ['channel_creator', false],
  can_create_topic_group: ['everyone', true],
  can_delete_any_message_group: ['nobody', true],
  can_delete_own_message_group: ['nobody', true],
  can_move_messages_out_of_channel_group: ['nobody', true],
  can_move_messages_within_channel_group: ['nobody', true],
  can_remove_subscribers_group: ['administrators', false],
  can_resolve_topics_group: ['nobody', true],
  can_send_message_group: ['everyone', true],
  can_subscribe_group: ['nobody', false],
};

/** Contract/groups.md section 1. */
const USER_GROUP_SETTINGS: Readonly<Record<string, Row>> = {
  can_add_members_group: ['group_creator', false],
  can_join_group: ['nobody', false],
  can_leave_group: ['everyone', true],
  can_manage_group: ['group_creator', false],
  can_mention_group: ['everyone', true],
  can_remove_members_group: ['nobody', false],
};

const isSystemGroup = (name: string): name is SystemGroup => SYSTEM_GROUPS.some((group) => group === name);

/**
 * `server_supported_permission_settings`: the choices that clients offer for each group setting (contract/boot.md
 * section 5.3).
 */
export const PERMISSION_CATALOGUE = {
  realm: Object.fromEntries(
    GROUP_SETTING_NAMES.map((name) => [name, entry(SETTINGS[name].initial, SETTINGS[name].rule, null)]),
  ),
  stream: entries(CHANNEL_SETTINGS, null),
  group: entries(USER_GROUP_SETTINGS, systemGroupName('nobody')),
};

function entries(rows: Readonly<Record<string, Row>>, ofSystemGroups: string | null) {
  return Object.fromEntries(
    Object.entries(rows).map(([name, [initial, everyone]]) => [
      name,
      entry(initial, { everyone, nobody: true }, ofSystemGroups),
    ]),
  );
}

function entry(
  initial: SystemGroup | PseudoGroup,
  { everyone, nobody, only }: GroupRule,
  ofSystemGroups: string | null,
) {
  return {
    require_system_group: only !== undefined,
    allow_internet_group: false,
    allow_nobody_group: nobody,
    allow_everyone_group: everyone,
    default_group_name: isSystemGroup(initial) ? systemGroupName(initial) : initial,
    default_for_system_groups: ofSystemGroups,
    allowed_system_groups: typeof only === 'object' ? only.map(systemGroupName) : [],
  };
}
