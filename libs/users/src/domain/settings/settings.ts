import type { Static, TSchema } from '@annals/kernel/domain';
import { LANGUAGE_CODES, nullable, t } from '@annals/kernel/domain';
import { EmailVisibility, emailVisibility } from '../email/email-visibility';
import { isTimezone } from '../account/timezone';

interface OwnSetting<Value = unknown> {
  /** The allowed values, as JSON. */
  readonly of: TSchema;
  /** The value until the user chooses another one. */
  readonly initially: Value;
  /** The values of a setting with words, which are also sent without JSON quotes. */
  readonly words?: readonly string[];
  /** Any text that fits, which is also sent without JSON quotes. */
  readonly is?: (text: string) => boolean;
  /** Null is one of its values. */
  readonly nullable?: true;
}

const flag = (initially: boolean) => ({ of: t.Boolean(), initially });
const one = <const N extends number>(numbers: readonly N[], initially: NoInfer<N>) => ({
  of: t.Unsafe<N>(t.Union(numbers.map((number) => t.Literal(number)))),
  initially,
});
const word = <const W extends string>(words: readonly W[], initially: NoInfer<W>) => ({
  of: t.Unsafe<W>(t.Union(words.map((each) => t.Literal(each)))),
  initially,
  words,
});
const whole = (minimum: number, maximum: number, initially: number) => ({
  of: t.Integer({ minimum, maximum }),
  initially,
});

/** Seconds. Emails may be delayed for a week at most. */
const WEEK = 7 * 24 * 60 * 60;

/** Sounds that clients have, by their names. */
export const NOTIFICATION_SOUNDS = [
  ...[
    'ascend',
    'beep_boop',
    'bink',
    'bright',
    'brlip',
    'chime',
    'deep tom',
    'ding',
    'double tap',
    'down',
    'dry bongos',
  ],
  ...[
    'dutdut',
    'fast ascend',
    'flute',
    'friendly',
    'kick roll',
    'loud tintong',
    'metallic snare',
    'pan',
    'practicechat',
  ],
  ...['shaker', 'simple', 'stairs', 'subtle', 'swish', 'tintong', 'up', 'wood block', 'zaping', 'zing', 'zulip'],
] as const;

/** Settings that only clients use. */
const OBEYED_BY_CLIENTS = {
  color_scheme: one([1, 2, 3], 1),
  web_home_view: word(['inbox', 'recent', 'all_messages'], 'inbox'),
  web_escape_navigates_to_home_view: flag(true),
  demote_inactive_streams: one([1, 2, 3], 1),
  emojiset: word(['google', 'google-blob', 'twitter', 'text'], 'google'),
  enter_sends: flag(false),
  fluid_layout_width: flag(false),
  high_contrast_mode: flag(false),
  left_side_userlist: flag(false),
  starred_message_counts: flag(true),
  /** Null: the default of the client. */
  twenty_four_hour_time: { of: nullable(t.Boolean()), initially: false, nullable: true },
  display_emoji_reaction_users: flag(true),
  hide_ai_features: flag(false),
  web_mark_read_on_scroll_policy: one([1, 2, 3], 1),
  web_channel_default_view: one([1, 2, 3, 4], 1),
  user_list_style: one([1, 2, 3], 3),
  web_animate_image_previews: word(['always', 'on_hover', 'never'], 'on_hover'),
  web_stream_unreads_count_display_policy: one([1, 2, 3], 2),
  web_font_size_px: whole(8, 64, 16),
  web_line_height_percent: whole(100, 300, 140),
  web_navigate_to_sent_message: flag(true),
  web_suggest_update_timezone: flag(true),
  web_left_sidebar_unreads_count_summary: flag(true),
  web_left_sidebar_show_channel_folders: flag(true),
  web_inbox_show_channel_folders: flag(true),
  desktop_icon_count_display: one([1, 2, 3, 4], 1),
  enable_desktop_notifications: flag(true),
  enable_sounds: flag(true),
  notification_sound: word([...NOTIFICATION_SOUNDS, 'none'], 'zulip'),
  pm_content_in_desktop_notifications: flag(true),
  wildcard_mentions_notify: flag(true),
  enable_stream_desktop_notifications: flag(false),
  enable_stream_audible_notifications: flag(false),
  enable_followed_topic_desktop_notifications: flag(true),
  enable_followed_topic_audible_notifications: flag(true),
  enable_followed_topic_wildcard_mentions_notify: flag(true),
} as const satisfies Readonly<Record<string, OwnSetting>>;

/** Which mails the user gets, and what is in them. `@annals/email-notifications` obeys them. */
const OF_MAILS = {
  enable_offline_email_notifications: flag(true),
  enable_stream_email_notifications: flag(false),
  enable_followed_topic_email_notifications: flag(true),
  email_notifications_batching_period_seconds: whole(1, WEEK, 120),
  message_content_in_email_notifications: flag(true),
  realm_name_in_email_notifications_policy: one([1, 2, 3], 1),
  enable_digest_emails: flag(true),
  enable_login_emails: flag(true),
  /** This server sends none, to anybody. */
  enable_marketing_emails: flag(true),
} as const satisfies Readonly<Record<string, OwnSetting>>;

/**
 * Settings of features that this server does not have. A feature that is added later reads them, so that no choice is
 * lost.
 */
const OF_WHAT_IS_NOT_BUILT = {
  allow_private_data_export: flag(false),
} as const satisfies Readonly<Record<string, OwnSetting>>;

/** When the client follows a topic by itself: at any action in it, when sending, when starting it, never. */
const OCCASIONS = [1, 2, 3, 4] as const;

/**
 * The settings that users can change for themselves (contract/boot.md section 6). A line here makes one changeable by
 * `PATCH /settings`, with its client event. Code that depends on it reads `OwnSettingsFacts`.
 */
export const OWN_SETTINGS = {
  ...OBEYED_BY_CLIENTS,
  ...OF_MAILS,
  ...OF_WHAT_IS_NOT_BUILT,
  /** Clients choose their language by it. The server itself writes English. */
  default_language: word(LANGUAGE_CODES, 'en'),
  /** `:)` is an emoji in texts that the user writes. */
  translate_emoticons: flag(false),
  timezone: { of: t.String({ maxLength: 64 }), initially: '', is: isTimezone },
  automatically_follow_topics_policy: one(OCCASIONS, 3),
  automatically_follow_topics_where_mentioned: flag(true),
  automatically_unmute_topics_in_muted_streams_policy: one(OCCASIONS, 2),
  /** When the notices arrive read that a topic was marked as resolved or unresolved. */
  resolved_topic_notice_auto_read_policy: word(['always', 'except_followed', 'never'], 'except_followed'),
  /** The server keeps the drafts of the user for all clients. */
  enable_drafts_synchronization: flag(true),
  email_address_visibility: { of: emailVisibility, initially: EmailVisibility.everyone },
  enable_offline_push_notifications: flag(true),
  enable_online_push_notifications: flag(true),
  enable_stream_push_notifications: flag(false),
  enable_followed_topic_push_notifications: flag(true),
  /** Others see when the user was last active. */
  presence_enabled: flag(true),
  send_read_receipts: flag(true),
  receives_typing_notifications: flag(true),
  send_private_typing_notifications: flag(true),
  send_stream_typing_notifications: flag(true),
} as const satisfies Readonly<Record<string, OwnSetting>>;

export type OwnSettingName = keyof typeof OWN_SETTINGS;
export type OwnSettings = { readonly [Name in OwnSettingName]: Static<(typeof OWN_SETTINGS)[Name]['of']> };
export const OWN_SETTING_NAMES = Object.keys(OWN_SETTINGS) as readonly OwnSettingName[];

/** The declaration of a setting by its name. */
export const ownSettingOf = (name: OwnSettingName): OwnSetting => OWN_SETTINGS[name];

/** The settings of a new user if the organization has no defaults of its own. */
export const INITIAL_SETTINGS = Object.fromEntries(
  OWN_SETTING_NAMES.map((name) => [name, OWN_SETTINGS[name].initially]),
) as unknown as OwnSettings;

/** Settings about place, emails about the own account, and privacy. Others cannot choose them. */
const OWN_AFFAIRS: ReadonlySet<OwnSettingName> = new Set([
  'timezone',
  'enable_login_emails',
  'enable_marketing_emails',
  'allow_private_data_export',
]);

/** Settings about privacy and mail, which administrators do not change for other users. */
export const PRIVATE_SETTINGS: readonly OwnSettingName[] = [
  ...OWN_AFFAIRS,
  'email_address_visibility',
  'enable_digest_emails',
  'presence_enabled',
  'send_private_typing_notifications',
  'send_read_receipts',
  'send_stream_typing_notifications',
];

/** The settings for which an organization can choose a default. New users begin with the language of the organization. */
export const DEFAULT_SETTING_NAMES = OWN_SETTING_NAMES.filter(
  (name) => !OWN_AFFAIRS.has(name) && name !== 'default_language',
);

/** Settings without personal data. The time zone is personal and is erased with the user. */
export type OpenSettings = Omit<OwnSettings, 'timezone'>;
export const OPEN_SETTING_NAMES = OWN_SETTING_NAMES.filter((name) => name !== 'timezone');

/** Schema of some settings inside an event. */
export const openSettingsSchema = t.Unsafe<Partial<OpenSettings>>(
  t.Object(Object.fromEntries(OPEN_SETTING_NAMES.map((name) => [name, t.Optional(OWN_SETTINGS[name].of)])), {
    additionalProperties: false,
  }),
);
