import type { RegisterBlock } from '@annals/kernel';
import { INITIAL_SETTINGS } from '../domain/settings';
import { readOwnSettings } from './own-settings';

/** Settings of a person who has changed none (contract/boot.md section 6), without the time zone. */
const DEFAULTS = {
  color_scheme: 1,
  default_language: 'en',
  web_home_view: 'inbox',
  web_escape_navigates_to_home_view: true,
  demote_inactive_streams: 1,
  emojiset: 'google',
  enable_drafts_synchronization: true,
  enter_sends: false,
  fluid_layout_width: false,
  high_contrast_mode: false,
  left_side_userlist: false,
  translate_emoticons: false,
  starred_message_counts: true,
  twenty_four_hour_time: false,
  display_emoji_reaction_users: true,
  send_read_receipts: true,
  allow_private_data_export: false,
  hide_ai_features: false,
  web_mark_read_on_scroll_policy: 1,
  web_channel_default_view: 1,
  user_list_style: 3,
  web_animate_image_previews: 'on_hover',
  web_stream_unreads_count_display_policy: 2,
  web_font_size_px: 16,
  web_line_height_percent: 140,
  web_navigate_to_sent_message: true,
  web_suggest_update_timezone: true,
  web_left_sidebar_unreads_count_summary: true,
  web_left_sidebar_show_channel_folders: true,
  web_inbox_show_channel_folders: true,
  resolved_topic_notice_auto_read_policy: 'except_followed',
  desktop_icon_count_display: 1,
  email_notifications_batching_period_seconds: 120,
  enable_desktop_notifications: true,
  enable_sounds: true,
  enable_offline_email_notifications: true,
  enable_offline_push_notifications: true,
  enable_online_push_notifications: true,
  enable_digest_emails: true,
  enable_login_emails: true,
  enable_marketing_emails: true,
  message_content_in_email_notifications: true,
  pm_content_in_desktop_notifications: true,
  wildcard_mentions_notify: true,
  presence_enabled: true,
  enable_stream_desktop_notifications: false,
  enable_stream_email_notifications: false,
  enable_stream_push_notifications: false,
  enable_stream_audible_notifications: false,
  enable_followed_topic_desktop_notifications: true,
  enable_followed_topic_email_notifications: true,
  enable_followed_topic_push_notifications: true,
  enable_followed_topic_audible_notifications: true,
  enable_followed_topic_wildcard_mentions_notify: true,
  notification_sound: 'zulip',
  realm_name_in_email_notifications_policy: 1,
  emojiset_choices: [
    { key: 'google', text: 'Google' },
    { key: 'google-blob', text: 'Google blobs' },
    { key: 'twitter', text: 'Twitter' },
    { key: 'text', text: 'Plain text' },
  ],
  available_notification_sounds: ['zulip'],
  ...INITIAL_SETTINGS,
} as const;

/** The caller's own settings, and what those of somebody new are (contract/boot.md sections 4.1 and 6). */
export const ownSettingsRegisterBlock: RegisterBlock = {
  keys: ['user_settings', 'realm_user_settings_defaults'],
  async read({ client, realmId }, { userId }, { keys }) {
    const state: Record<string, unknown> = {};
    if (keys.has('realm_user_settings_defaults')) state['realm_user_settings_defaults'] = DEFAULTS;
    if (keys.has('user_settings')) {
      const chosen = (await readOwnSettings(client, realmId, [userId])).get(userId);
      state['user_settings'] = { ...DEFAULTS, ...chosen, timezone: '' };
    }
    return state;
  },
};
