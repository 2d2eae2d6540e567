/** The system groups, without `role:` (contract/permissions.md section 2). */
export type SystemGroup =
  'nobody' | 'owners' | 'administrators' | 'moderators' | 'fullmembers' | 'members' | 'everyone' | 'internet';

/** A permission setting as the contract lists it, written down apart from the code that obeys it. */
export interface Rule {
  /** Default value: a system group, or the creator. */
  readonly initially: SystemGroup | 'creator';
  /** Whether `role:everyone` may be set. Where it may not, no guest ever has the permission. */
  readonly everyone: boolean;
  readonly nobody: boolean;
  /** The only values it can have. */
  readonly only?: readonly SystemGroup[];
}

interface ChannelRule extends Rule {
  /** Only readers of the channel may change it. */
  readonly needsContent: boolean;
  /** The part of a private channel that it makes visible. */
  readonly grants: 'nothing' | 'metadata' | 'content';
}

const rule = (initially: Rule['initially'], everyone: boolean): Rule => ({ initially, everyone, nobody: true });
const plain = (initially: Rule['initially'], everyone: boolean): ChannelRule => ({
  ...rule(initially, everyone),
  needsContent: false,
  grants: 'nothing',
});

/** Contract/permissions.md section 4. */
export const CHANNEL_SETTINGS = {
  can_add_subscribers_group: { ...rule('nobody', false), needsContent: true, grants: 'content' },
  can_administer_channel_group: { ...rule('creator', false), needsContent: false, grants: 'metadata' },
  can_create_topic_group: plain('everyone', true),
  can_delete_any_message_group: plain('nobody', true),
  can_delete_own_message_group: plain('nobody', true),
  can_move_messages_out_of_channel_group: plain('nobody', true),
  can_move_messages_within_channel_group: plain('nobody', true),
  can_remove_subscribers_group: plain('administrators', false),
  can_send_message_group: plain('everyone', true),
  can_subscribe_group: { ...rule('nobody', false), needsContent: true, grants: 'content' },
  can_resolve_topics_group: plain('nobody', true),
} as const satisfies Readonly<Record<string, ChannelRule>>;

/** Contract/groups.md section 1. */
export const GROUP_SETTINGS = {
  can_add_members_group: rule('creator', false),
  can_join_group: rule('nobody', false),
  can_leave_group: rule('everyone', true),
  can_manage_group: rule('creator', false),
  can_mention_group: rule('everyone', true),
  can_remove_members_group: rule('nobody', false),
} as const satisfies Readonly<Record<string, Rule>>;

/** Contract/permissions.md section 5. */
export const ORGANIZATION_SETTINGS = {
  can_access_all_users_group: { initially: 'everyone', everyone: true, nobody: false, only: ['everyone', 'members'] },
  can_add_subscribers_group: rule('members', false),
  can_create_public_channel_group: rule('members', false),
  can_create_private_channel_group: rule('members', false),
  can_create_web_public_channel_group: {
    ...rule('owners', false),
    only: ['moderators', 'administrators', 'owners', 'nobody'],
  },
  can_create_groups: rule('members', false),
  can_manage_all_groups: { initially: 'owners', everyone: false, nobody: false },
  can_audit_group: rule('owners', false),
  can_audit_content_group: rule('nobody', false),
  can_manage_holds_group: rule('owners', false),
  can_delete_any_message_group: rule('administrators', false),
  can_delete_own_message_group: rule('everyone', true),
  can_set_delete_message_policy_group: rule('moderators', false),
  can_mention_many_users_group: rule('administrators', true),
  can_move_messages_between_channels_group: rule('members', false),
  can_move_messages_between_topics_group: rule('everyone', true),
  can_resolve_topics_group: rule('everyone', true),
  can_set_topics_policy_group: rule('members', true),
  direct_message_initiator_group: rule('everyone', true),
  direct_message_permission_group: rule('everyone', true),
  can_invite_users_group: rule('members', false),
  can_create_bots_group: rule('members', false),
  can_create_write_only_bots_group: rule('members', false),
  can_add_custom_emoji_group: rule('members', false),
  create_multiuse_invite_group: rule('administrators', false),
  can_summarize_topics_group: rule('everyone', true),
} as const satisfies Readonly<Record<string, Rule>>;

/** Settings by what has them, as `server_supported_permission_settings` names it. */
export const SETTINGS = {
  stream: CHANNEL_SETTINGS,
  group: GROUP_SETTINGS,
  realm: ORGANIZATION_SETTINGS,
} as const satisfies Readonly<Record<string, Readonly<Record<string, Rule>>>>;
export type SettingScope = keyof typeof SETTINGS;

/** @throws Error when the contract has no such setting */
export function ruleOf(of: SettingScope, setting: string): Rule {
  const found = (SETTINGS[of] as Readonly<Record<string, Rule>>)[setting];
  if (!found) throw new Error(`${of} has no setting ${setting}`);
  return found;
}
