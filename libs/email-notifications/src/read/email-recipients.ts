import type { NotificationWishes, RecipientRules } from '@annals/push';
import type { OwnSettings } from '@annals/users';

/** People with an active account, for mails about messages. Bots read no mail. */
export const EMAIL_RECIPIENTS: RecipientRules = {
  name: 'email',
  reachable: `(SELECT u.is_active AND u.bot_type IS NULL FROM view.users AS u
    WHERE u.realm_id = m.realm_id AND u.user_id = r.user_id)`,
  wishing: [
    `SELECT s.user_id FROM view.channel_email_wishes AS s
    WHERE s.realm_id = p.realm_id AND s.channel_id = p.channel_id`,
    `SELECT o.user_id FROM view.all_channels_email_wishes AS o WHERE o.realm_id = m.realm_id`,
  ],
  all: `SELECT u.user_id FROM view.users AS u
    WHERE u.realm_id = m.realm_id AND u.user_id > $3 AND u.is_active AND u.bot_type IS NULL`,
  channelColumn: 'email_notifications',
};

/**
 * The settings for mails as wishes (contract/boot.md section 6). Whether the user is online is asked when a mail is due, not when the
 * message is sent.
 */
export const emailWishes = (settings: OwnSettings): NotificationWishes => ({
  mentions: settings.enable_offline_email_notifications,
  whileOnline: true,
  channels: settings.enable_stream_email_notifications,
  followedTopics: settings.enable_followed_topic_email_notifications,
  wildcards: settings.wildcard_mentions_notify,
  followedTopicWildcards: settings.enable_followed_topic_wildcard_mentions_notify,
});
