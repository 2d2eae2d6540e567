import type { ChannelId, GroupSetting, TSchema } from '@annals/kernel/domain';
import { LANGUAGE_CODES, channelId, groupSetting, nullable, t } from '@annals/kernel/domain';
import type {
  Address,
  Changer,
  CodeLanguage,
  Flag,
  GroupRule,
  OneChannel,
  OneGroup,
  OneOf,
  Retention,
  Setting,
  TimeLimit,
  Whole,
  Word,
} from './setting-kinds';
import {
  MAX_ADDRESS,
  MAX_CODE_LANGUAGE,
  MAX_INT4,
  channel,
  flag,
  group,
  limit,
  oneOf,
  whole,
  word,
} from './setting-kinds';
import type { SystemGroups } from './system-groups';

const DAY = 24 * 60 * 60;

/** Kinds of organizations, as clients name them. 0 is unspecified. */
const ORGANIZATION_TYPES = [0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100, 1000] as const;

const ANYBODY: GroupRule = { everyone: true, nobody: true };
const NO_GUESTS: GroupRule = { everyone: false, nobody: true };

/**
 * Every setting of an organization, once, under its name in the API: contract/boot.md sections 5.1 and 5.2 for type and
 * default, contract/permissions.md section 5 for limits. Texts are in `TEXTS`.
 */
export const SETTINGS = {
  /** New accounts begin with it, people without an account get mails in it, and search reduces words to their stems by it. */
  default_language: word(LANGUAGE_CODES, 'en', 'administrators'),
  /** Of blocks of code that name none, from the moment on. */
  default_code_block_language: { kind: 'code language', initial: '', by: 'administrators' },
  allow_message_editing: flag(true, 'administrators'),
  message_content_edit_limit_seconds: limit(600, 'administrators'),
  message_content_delete_limit_seconds: limit(600, 'administrators'),
  move_messages_within_stream_limit_seconds: limit(7 * DAY, 'administrators'),
  move_messages_between_streams_limit_seconds: limit(7 * DAY, 'administrators'),
  message_edit_history_visibility_policy: word(['all', 'moves', 'none'], 'all', 'administrators'),
  /** -1 keeps forever. It is the only value as long as nothing deletes old messages. */
  message_retention_days: { kind: 'retention', initial: -1, by: 'owners' },
  topics_policy: word(['allow_empty_topic', 'disable_empty_topic'], 'allow_empty_topic', 'administrators'),
  /** Whether users see who has read a message. */
  enable_read_receipts: flag(true, 'administrators'),
  presence_disabled: flag(false, 'administrators'),
  /** Days after which a member counts as a full member. */
  waiting_period_threshold: whole(0, 'owners'),
  invite_required: flag(true, 'owners'),
  emails_restricted_to_domains: flag(false, 'owners'),
  disallow_disposable_email_addresses: flag(true, 'owners'),
  email_changes_disabled: flag(false, 'administrators'),
  name_changes_disabled: flag(false, 'administrators'),
  avatar_changes_disabled: flag(false, 'administrators'),
  require_unique_names: flag(false, 'administrators'),
  inline_image_preview: flag(true, 'administrators'),
  inline_url_embed_preview: flag(false, 'administrators'),
  media_preview_size: whole(100, 'administrators', 25, 200),
  digest_emails_enabled: flag(false, 'administrators'),
  /** 0 is Monday. */
  digest_weekday: whole(1, 'administrators', 0, 6),
  send_welcome_emails: flag(true, 'administrators'),
  send_channel_events_messages: flag(false, 'administrators'),
  message_content_allowed_in_email_notifications: flag(true, 'administrators'),
  enable_spectator_access: flag(false, 'administrators'),
  /** A choice that directories of communities ask for. This server has none. */
  want_advertise_in_communities_directory: flag(false, 'administrators'),
  owner_full_content_access: flag(false, 'nobody'),
  enable_guest_user_indicator: flag(true, 'administrators'),
  enable_guest_user_dm_warning: flag(true, 'administrators'),
  require_e2ee_push_notifications: flag(false, 'administrators'),
  /** 0 is none, 1 is Jitsi: clients make the links themselves. */
  video_chat_provider: oneOf([0, 1], 0, 'administrators'),
  /** Null: the address that the server offers. */
  jitsi_server_url: { kind: 'address', initial: null, by: 'administrators' },
  gif_rating_policy: whole(2, 'administrators', 0, 5),
  /** Where the pictures of new accounts come from: the Gravatar service, or this server generates them (`J`). */
  default_avatar_source: word(['G', 'J'], 'G', 'administrators'),
  org_type: oneOf(ORGANIZATION_TYPES, 0, 'administrators'),
  moderation_request_channel_id: channel('administrators'),
  new_stream_announcements_stream_id: channel('administrators'),
  signup_announcements_stream_id: channel('administrators'),
  /** The server announces no updates. Clients show the choice. */
  zulip_update_announcements_stream_id: channel('administrators'),

  can_access_all_users_group: group(
    'everyone',
    { everyone: true, nobody: false, only: ['everyone', 'members'] },
    'administrators',
  ),
  can_delete_own_message_group: group('everyone', ANYBODY, 'administrators'),
  can_move_messages_between_topics_group: group('everyone', ANYBODY, 'administrators'),
  can_resolve_topics_group: group('everyone', ANYBODY, 'administrators'),
  can_summarize_topics_group: group('everyone', ANYBODY, 'administrators'),
  direct_message_initiator_group: group('everyone', ANYBODY, 'administrators'),
  direct_message_permission_group: group('everyone', ANYBODY, 'administrators'),
  can_add_subscribers_group: group('members', NO_GUESTS, 'administrators'),
  can_add_custom_emoji_group: group('members', NO_GUESTS, 'administrators'),
  can_create_bots_group: group('members', NO_GUESTS, 'administrators'),
  can_create_write_only_bots_group: group('members', NO_GUESTS, 'administrators'),
  can_create_groups: group('members', NO_GUESTS, 'owners'),
  can_create_public_channel_group: group('members', NO_GUESTS, 'administrators'),
  can_create_private_channel_group: group('members', NO_GUESTS, 'administrators'),
  can_invite_users_group: group('members', NO_GUESTS, 'owners'),
  can_move_messages_between_channels_group: group('members', NO_GUESTS, 'administrators'),
  can_set_topics_policy_group: group('members', ANYBODY, 'administrators'),
  can_set_delete_message_policy_group: group('moderators', NO_GUESTS, 'administrators'),
  create_multiuse_invite_group: group('administrators', NO_GUESTS, 'owners'),
  can_delete_any_message_group: group('administrators', NO_GUESTS, 'administrators'),
  can_manage_billing_group: group('administrators', NO_GUESTS, 'owners'),
  can_mention_many_users_group: group('administrators', ANYBODY, 'administrators'),
  can_create_web_public_channel_group: group(
    'owners',
    { everyone: false, nobody: true, only: ['moderators', 'administrators', 'owners', 'nobody'] },
    'administrators',
  ),
  can_manage_all_groups: group('owners', { everyone: false, nobody: false }, 'owners'),
  /** The users who may read the audit trail, without what people wrote (contract/audit.md section 1, as the next two). */
  can_audit_group: group('owners', NO_GUESTS, 'owners'),
  /** The users who may also read texts, names of topics and private channels, and addresses in it. */
  can_audit_content_group: group('nobody', NO_GUESTS, 'owners'),
  can_manage_holds_group: group('owners', NO_GUESTS, 'owners'),
  workplace_users_group: group('nobody', NO_GUESTS, 'owners'),
} as const satisfies Readonly<Record<string, Setting>>;

type ValueOf<S> = S extends Flag
  ? boolean
  : S extends Whole | OneOf | Retention
    ? number
    : S extends TimeLimit
      ? number | null
      : S extends Word<infer W>
        ? W
        : S extends CodeLanguage
          ? string
          : S extends Address
            ? string | null
            : S extends OneChannel
              ? ChannelId | null
              : GroupSetting;

export type SettingName = keyof typeof SETTINGS;
export type GroupSettingName = {
  [Name in SettingName]: (typeof SETTINGS)[Name] extends OneGroup ? Name : never;
}[SettingName];
type ChannelSettingName = {
  [Name in SettingName]: (typeof SETTINGS)[Name] extends OneChannel ? Name : never;
}[SettingName];
export type RealmSettings = { readonly [Name in SettingName]: ValueOf<(typeof SETTINGS)[Name]> };

/** Limits of a text in code points. `printable` requires one line without control characters. */
interface TextLimits {
  readonly min: number;
  readonly max: number;
  readonly printable: boolean;
  readonly by: Changer;
}

/** Texts about the organization. Names are printable (contract/conventions.md section 6). */
export const TEXTS = {
  name: { min: 1, max: 40, printable: true, by: 'administrators' },
  description: { min: 0, max: 1000, printable: false, by: 'administrators' },
  welcome_message_custom_text: { min: 0, max: 8000, printable: false, by: 'administrators' },
} as const satisfies Readonly<Record<string, TextLimits>>;
export type TextName = keyof typeof TEXTS;
export type RealmTexts = Readonly<Record<TextName, string>>;

export const REALM_SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];
export const GROUP_SETTING_NAMES = REALM_SETTING_NAMES.filter(
  (name): name is GroupSettingName => SETTINGS[name].kind === 'group',
);
export const CHANNEL_SETTING_NAMES = REALM_SETTING_NAMES.filter(
  (name): name is ChannelSettingName => SETTINGS[name].kind === 'channel',
);
export const TEXT_NAMES = Object.keys(TEXTS) as readonly TextName[];

/** The declaration of a setting by its name. */
export const settingOf = (name: SettingName): Setting => SETTINGS[name];

export const textsSchema = t.Unsafe<Partial<RealmTexts>>(
  t.Object(Object.fromEntries(TEXT_NAMES.map((name) => [name, t.Optional(t.String())])), {
    additionalProperties: false,
  }),
);

export const settingsSchema = t.Unsafe<Partial<RealmSettings>>(
  t.Object(Object.fromEntries(REALM_SETTING_NAMES.map((name) => [name, t.Optional(schemaOf(SETTINGS[name]))])), {
    additionalProperties: false,
  }),
);

function schemaOf(setting: Setting): TSchema {
  switch (setting.kind) {
    case 'flag':
      return t.Boolean();
    case 'whole':
      return t.Integer({ minimum: setting.min, maximum: setting.max });
    case 'one of':
      return t.Union(setting.numbers.map((one) => t.Literal(one)));
    case 'time limit':
      return nullable(t.Integer({ minimum: 1 }));
    case 'retention':
      return t.Integer({ minimum: -1, maximum: MAX_INT4 });
    case 'word':
      return t.Union(setting.words.map((one) => t.Literal(one)));
    case 'code language':
      return t.String({ maxLength: MAX_CODE_LANGUAGE });
    case 'address':
      return nullable(t.String({ maxLength: MAX_ADDRESS }));
    case 'channel':
      return nullable(channelId);
    case 'group':
      return groupSetting;
  }
}

/** The settings of a new organization with these system groups. */
export function defaultSettings(groups: SystemGroups): RealmSettings {
  const initial = (setting: Setting) => (setting.kind === 'group' ? groups[setting.initial] : setting.initial);
  return Object.fromEntries(
    REALM_SETTING_NAMES.map((name) => [name, initial(SETTINGS[name])]),
  ) as unknown as RealmSettings;
}

export const NO_TEXTS: RealmTexts = { name: '', description: '', welcome_message_custom_text: '' };
