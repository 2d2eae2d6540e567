import { channelId, count, messageId, nullable, t, userId, words } from '@annals/kernel/domain';
import { wireGroupSetting } from '@annals/realm/http';
import { TOPICS_POLICIES } from '../domain/events';
import { CHANNEL_SETTINGS } from '../domain/channel/settings';

const channel = {
  stream_id: channelId,
  name: t.String(),
  is_archived: t.Boolean(),
  description: t.String({ description: 'Markdown.' }),
  rendered_description: t.String({ description: 'HTML.' }),
  date_created: t.Integer({ description: 'UNIX seconds.' }),
  creator_id: nullable(userId),
  invite_only: t.Boolean(),
  is_web_public: t.Boolean(),
  history_public_to_subscribers: t.Boolean(),
  message_retention_days: nullable(t.Integer({ description: '-1: for ever; null: as the organization has it.' })),
  first_message_id: nullable(messageId),
  folder_id: nullable(t.Integer()),
  is_recently_active: t.Boolean(),
  stream_weekly_traffic: nullable(count),
  subscriber_count: count,
  topics_policy: words(...TOPICS_POLICIES),
  stream_post_policy: t.Integer({ minimum: 1, maximum: 4, deprecated: true }),
  is_announcement_only: t.Boolean({ deprecated: true }),
  ...Object.fromEntries(CHANNEL_SETTINGS.map((name) => [name, wireGroupSetting])),
};

const subscribers = {
  subscribers: t.Optional(t.Array(userId, { description: 'Only where they were asked for.' })),
  partial_subscribers: t.Optional(
    t.Array(userId, { description: 'Instead, for a large channel, where that suffices: bots and who was active.' }),
  ),
};

const inherited = nullable(t.Boolean({ description: 'null: as the account has it for all channels.' }));

/** A channel in the API (contract/channels.md section 1). */
export const channelShape = t.Object(channel, { $id: 'Channel' });

/** A channel in the list of `GET /streams`. */
export const listedChannelShape = t.Object({
  ...channel,
  is_default: t.Optional(t.Boolean({ description: 'Only with `include_default`.' })),
});

/**
 * A channel with its subscribers, in the list of `POST /register` for channels to which the user was never subscribed.
 */
export const neverSubscribedShape = t.Object({ ...channel, ...subscribers });

/** A channel with the settings of its subscriber (contract/subscriptions.md section 1). */
export const subscriptionShape = t.Object(
  {
    ...channel,
    ...subscribers,
    color: t.String({ pattern: '^#[0-9a-f]{6}$' }),
    is_muted: t.Boolean(),
    in_home_view: t.Boolean({ deprecated: true, description: 'The opposite of `is_muted`.' }),
    pin_to_top: t.Boolean(),
    desktop_notifications: inherited,
    email_notifications: inherited,
    push_notifications: inherited,
    audible_notifications: inherited,
    wildcard_mentions_notify: inherited,
  },
  { $id: 'Subscription' },
);

const namesByUser = t.Record(t.String({ pattern: '^[0-9]+$' }), t.Array(t.String()), {
  description: 'Names of channels by the id of the account.',
});

/** The answer to `POST /users/me/subscriptions` (contract/subscriptions.md section 2.2). */
export const subscribedShape = t.Object({
  subscribed: namesByUser,
  already_subscribed: namesByUser,
  unauthorized: t.Optional(t.Array(t.String(), { description: 'Only with `authorization_errors_fatal=false`.' })),
  new_subscription_messages_sent: t.Optional(
    t.Boolean({ description: 'Whether people were written to; not with `send_new_subscription_messages=false`.' }),
  ),
});

/** The answer to `DELETE /users/me/subscriptions` (contract/subscriptions.md section 3). */
const left = {
  removed: t.Array(t.String(), { description: 'A name for each person who was removed from the channel.' }),
  not_removed: t.Array(t.String(), { description: 'Likewise for who was not subscribed to it.' }),
};
export const unsubscribedShape = t.Object(left);

/** The answer to `PATCH /users/me/subscriptions`: both answers in one. */
export const subscriptionsUpdateShape = t.Object({ ...subscribedShape.properties, ...left });
