import { defineProjection, on } from '@annals/kernel';
import { SubscriptionPropertyChanged, Subscribed, Unsubscribed } from '../domain/events';

/**
 * Who was subscribed to what from which position to which, a new span after each return, and what each person set for
 * their subscription, which outlives it.
 */
export const membershipsView = defineProjection({
  name: 'memberships',
  version: 2,
  lifecycle: 'inline',
  tables: {
    memberships: {
      columns: {
        channel_id: 'int4',
        user_id: 'int4',
        from_position: 'int8',
        /** Null while subscribed. */
        to_position: 'int8',
      },
      key: ['channel_id', 'user_id', 'from_position'],
      indexes: [{ on: ['user_id', 'channel_id'] }],
    },
    subscriptions: {
      columns: {
        user_id: 'int4',
        channel_id: 'int4',
        color: 'text',
        is_muted: 'bool',
        pin_to_top: 'bool',
        /** Null inherits the person's own setting, here and below. */
        desktop_notifications: 'bool',
        email_notifications: 'bool',
        push_notifications: 'bool',
        audible_notifications: 'bool',
        wildcard_mentions_notify: 'bool',
      },
      key: ['user_id', 'channel_id'],
      changesOften: true,
    },
  },
  handlers: [
    on(Subscribed, ({ data, position }, rows) => {
      for (const [n, user_id] of data.userIds.entries()) {
        rows.insert('memberships', { channel_id: data.channelId, user_id, from_position: position, to_position: null });
        // Who returns finds the row of before: inserting it again changes nothing.
        rows.insert('subscriptions', {
          user_id,
          channel_id: data.channelId,
          color: data.colors[n] ?? null,
          is_muted: false,
          pin_to_top: false,
          desktop_notifications: null,
          email_notifications: null,
          push_notifications: null,
          audible_notifications: null,
          wildcard_mentions_notify: null,
        });
      }
    }),
    on(Unsubscribed, ({ data, position }, rows) => {
      for (const user_id of data.userIds) {
        const open = { channel_id: data.channelId, user_id, to_position: null };
        rows.update('memberships', open, { to_position: position });
      }
    }),
    on(SubscriptionPropertyChanged, ({ data }, rows) => {
      const own = { user_id: data.userId, channel_id: data.channelId };
      rows.update('subscriptions', own, { [data.property]: data.value });
    }),
  ],
});
