import { REPORT_TYPES } from '../domain/report-types';
import type { ThumbnailFormat } from '../domain/thumbnail-format';
import { ANIMATED_THUMBNAIL, STILL_THUMBNAIL } from '../domain/thumbnail-format';
import type { RegisterOptions } from '@annals/kernel';

/** The version that this server reports. Clients choose all formats by the feature level. */
export const SERVER_VERSION = { zulip_version: '12.0', zulip_merge_base: '12.0', zulip_feature_level: 500 } as const;

/** Lengths that the API checks, in code points (contract/conventions.md section 7). */
export const PASSWORD = { minLength: 6, maxLength: 100, minGuesses: 10_000 } as const;

/** Maximum of users subscribed by one request who get a notice (contract/conventions.md section 7). */
export const MAX_BULK_NEW_SUBSCRIPTION_MESSAGES = 100;

/** Greatest size of an account's image as it is sent (contract/boot.md section 4.3). */
export const MAX_AVATAR_MIB = 5;

/** Greatest size of an organization's icon or logo as it is sent (contract/boot.md section 4.3). */
export const MAX_PICTURE_MIB = 5;

/** Shown for the empty topic to clients that do not support it. */
export const EMPTY_TOPIC_DISPLAY_NAME = 'general chat';

/** At the root of the server, outside the API. */
export const EMOJI_DATA_PATH = '/static/emoji/emoji_api.json';

/**
 * External accounts for which a custom profile field needs no URL pattern of its own (contract/boot.md section 4.3).
 */
export const DEFAULT_EXTERNAL_ACCOUNTS = {
  twitter: {
    name: 'Twitter username',
    text: 'Twitter',
    hint: '',
    url_pattern: 'https://twitter.com/%(username)s',
  },
  github: {
    name: 'GitHub username',
    text: 'GitHub',
    hint: '',
    url_pattern: 'https://github.com/%(username)s',
  },
} as const;

/** When this process started, UNIX seconds. */
const STARTED = Math.floor(performance.timeOrigin / 1000);

const gifRatings = { disabled: 0, y: 1, g: 2, pg: 3, 'pg-13': 4, r: 5 } as const;

const presentFormat = ({ name, maxWidth, maxHeight, animated }: ThumbnailFormat) => ({
  name,
  max_width: maxWidth,
  max_height: maxHeight,
  format: 'webp',
  animated,
});

/**
 * The fields of the realm block that are the same for every organization (contract/boot.md section 4.3).
 *
 * @param url address of the organization
 */
export const serverProperties = ({
  url,
  webPublicChannels,
  maxUploadMib,
}: Pick<RegisterOptions, 'url' | 'webPublicChannels' | 'maxUploadMib'>) => ({
  max_stream_name_length: 60,
  max_stream_description_length: 1024,
  max_channel_folder_name_length: 60,
  max_channel_folder_description_length: 1024,
  max_topic_length: 60,
  max_message_length: 10_000,
  max_avatar_file_size_mib: MAX_AVATAR_MIB,
  max_icon_file_size_mib: MAX_PICTURE_MIB,
  max_logo_file_size_mib: MAX_PICTURE_MIB,
  max_file_upload_size_mib: maxUploadMib,
  max_bulk_new_subscription_messages: MAX_BULK_NEW_SUBSCRIPTION_MESSAGES,
  max_reminder_note_length: 1000,
  password_min_length: PASSWORD.minLength,
  password_max_length: PASSWORD.maxLength,
  password_min_guesses: PASSWORD.minGuesses,
  server_generation: STARTED,
  server_presence_ping_interval_seconds: 60,
  server_presence_offline_threshold_seconds: 200,
  server_typing_started_expiry_period_milliseconds: 45_000,
  server_typing_stopped_wait_period_milliseconds: 12_000,
  server_typing_started_wait_period_milliseconds: 30_000,
  event_queue_longpoll_timeout_seconds: 90,
  server_thumbnail_formats: [ANIMATED_THUMBNAIL, STILL_THUMBNAIL].map(presentFormat),
  server_emoji_data_url: `${url}${EMOJI_DATA_PATH}`,
  server_inline_image_preview: true,
  server_inline_url_embed_preview: true,
  server_avatar_changes_disabled: false,
  server_name_changes_disabled: false,
  server_needs_upgrade: false,
  server_web_public_streams_enabled: webPublicChannels,
  server_can_summarize_topics: false,
  server_jitsi_server_url: null,
  server_min_deactivated_realm_deletion_days: 14,
  server_max_deactivated_realm_deletion_days: null,
  server_report_message_types: Object.entries(REPORT_TYPES).map(([key, name]) => ({ key, name })),
  development_environment: false,
  zulip_plan_is_not_limited: true,
  upgrade_text_for_wide_organization_logo: 'Available on every plan.',
  settings_send_digest_emails: true,
  gif_rating_policy_options: Object.fromEntries(
    Object.entries(gifRatings).map(([key, id]) => [
      key,
      { id, name: key === 'disabled' ? 'GIFs disabled' : `Rating ${key}` },
    ]),
  ),
  realm_available_video_chat_providers: {
    disabled: { id: 0, name: 'None' },
    jitsi_meet: { id: 1, name: 'Jitsi Meet' },
  },
  realm_default_external_accounts: DEFAULT_EXTERNAL_ACCOUNTS,
});
