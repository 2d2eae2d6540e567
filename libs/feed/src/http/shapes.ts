import { channelShape, neverSubscribedShape, subscriptionShape } from '@annals/channels/http';
import { groupShape } from '@annals/groups/http';
import { channelId, count, messageId, t, userId } from '@annals/kernel/domain';
import { listedUserShape } from '@annals/users/http';

const messageIds = t.Array(messageId);

/** contract/boot.md section 8 */
const unread = {
  count,
  pms: t.Array(t.Object({ other_user_id: userId, sender_id: userId, unread_message_ids: messageIds })),
  streams: t.Array(t.Object({ stream_id: channelId, topic: t.String(), unread_message_ids: messageIds })),
  huddles: t.Array(t.Object({ user_ids_string: t.String(), unread_message_ids: messageIds })),
  mentions: messageIds,
  old_unreads_missing: t.Boolean(),
};

/** Lists whose items other answers also have, each with the fetch key of its block. */
const lists = {
  realm_users: t.Array(listedUserShape, { description: 'With `realm_user`.' }),
  realm_non_active_users: t.Array(listedUserShape, { description: 'With `realm_user`.' }),
  cross_realm_bots: t.Array(listedUserShape, { description: 'With `realm_user`.' }),
  realm_user_groups: t.Array(groupShape, { description: 'With `realm_user_groups`.' }),
  streams: t.Array(channelShape, { description: 'With `stream`.' }),
  subscriptions: t.Array(subscriptionShape, { description: 'With `subscription`.' }),
  unsubscribed: t.Array(subscriptionShape, { description: 'With `subscription`.' }),
  never_subscribed: t.Array(neverSubscribedShape, { description: 'With `subscription`.' }),
  realm_default_streams: t.Array(channelId, { description: 'With `default_streams`.' }),
  realm_default_stream_groups: t.Array(
    t.Object({ id: t.Integer(), name: t.String(), description: t.String(), streams: t.Array(channelId) }),
    { description: 'With `default_stream_groups`.' },
  ),
  max_message_id: t.Integer({ minimum: -1, description: 'With `message`; -1 when none has arrived.' }),
  recent_private_conversations: t.Array(t.Object({ max_message_id: messageId, user_ids: t.Array(userId) }), {
    description: 'With `recent_private_conversations`.',
  }),
  unread_msgs: t.Object(unread, { description: 'With both `message` and `update_message_flags`.' }),
};

/** A queue and the state it begins with (contract/realtime.md section 2, boot.md section 4). */
export const registeredShape = t.Object(
  {
    queue_id: t.String(),
    last_event_id: t.Integer(),
    idle_queue_timeout_secs: t.Integer({ minimum: 1, description: 'Seconds without a poll that the queue survives.' }),
    zulip_version: t.String(),
    zulip_merge_base: t.String(),
    zulip_feature_level: t.Integer(),
    ...t.Partial(t.Object(lists)).properties,
  },
  {
    additionalProperties: true,
    description:
      'Further fields hold the rest of the state: the organization with its settings (`realm_*`, `server_*`, `max_*`), ' +
      'the own account and its settings, and one list for everything else that can be fetched.',
  },
);

/** Events of a queue in their order (contract/realtime.md sections 3 and 6). */
export const eventsShape = t.Object({
  queue_id: t.String(),
  events: t.Array(
    t.Object(
      {
        id: t.Integer({ description: 'Ascending within a queue.' }),
        type: t.String(),
        op: t.Optional(t.String()),
      },
      { additionalProperties: true, description: 'What else it holds depends on its type and `op`.' },
    ),
  ),
});
