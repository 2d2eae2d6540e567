import { defineProjection, increment, on } from '@annals/kernel';
import { Deactivated } from '@annals/users';
import { ChannelCreated, Returned, SubscriptionPropertyChanged, Subscribed, Unsubscribed } from '../../domain/events';

/**
 * Subscriptions as spans from position to position, a new one after each return. The settings of a subscription outlive
 * its spans.
 */
export const membershipsView = defineProjection({
  name: 'memberships',
  version: 5,
  lifecycle: 'inline',
  tables: {
    memberships: {
      columns: {
        channel_id: 'int4',
        user_id: 'int4',
        from_position: 'int8',
        /** Null while subscribed. */
        to_position: 'int8',
        /** The same, but of a stay that ended with the account: where the account came back. Nothing was left there. */
        held_until: 'int8',
        /** Still subscribed, but with an account that ended: in no list. */
        is_departed: 'bool',
      },
      key: ['channel_id', 'user_id', 'from_position'],
      indexes: [
        { on: ['user_id', 'channel_id'] },
        { on: ['channel_id'], where: 'is_departed AND to_position IS NULL' },
      ],
    },
    /** How many are subscribed, those included whose accounts ended: what cannot be counted anew for each reader. */
    channel_sizes: { columns: { channel_id: 'int4', members: 'int4' }, key: ['channel_id'], changesOften: true },
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
      indexes: [{ on: ['channel_id', 'user_id'], where: 'push_notifications' }],
      changesOften: true,
    },
  },
  handlers: [
    on(ChannelCreated, ({ data }, rows) => rows.insert('channel_sizes', { channel_id: data.channelId, members: 0 })),
    on(Subscribed, ({ data, position }, rows) => {
      const { channelId: channel_id } = data;
      rows.update('channel_sizes', { channel_id }, { members: increment(data.userIds.length) });
      for (const [n, user_id] of data.userIds.entries()) {
        const span = { from_position: position, to_position: null, held_until: null, is_departed: false };
        rows.insert('memberships', { channel_id, user_id, ...span });
        // Who returns finds the row of before: inserting it again changes nothing.
        rows.insert('subscriptions', {
          user_id,
          channel_id,
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
      const left = { channel_id: data.channelId };
      rows.update('channel_sizes', left, { members: increment(-data.userIds.length) });
      for (const user_id of data.userIds) {
        const open = { channel_id: data.channelId, user_id, to_position: null };
        rows.update('memberships', open, { to_position: position, held_until: position });
      }
    }),
    on(Deactivated, ({ data }, rows) =>
      rows.update('memberships', { user_id: data.userId, to_position: null }, { is_departed: true }),
    ),
    on(Returned, ({ data: { userId: user_id, channelIds, since }, position }, rows) => {
      for (const channel_id of channelIds) {
        const stay = { to_position: since, held_until: position, is_departed: false };
        rows.update('memberships', { channel_id, user_id, to_position: null }, stay);
        const span = { from_position: position, to_position: null, held_until: null, is_departed: false };
        rows.insert('memberships', { channel_id, user_id, ...span });
      }
    }),
    on(SubscriptionPropertyChanged, ({ data }, rows) => {
      const own = { user_id: data.userId, channel_id: data.channelId };
      rows.update('subscriptions', own, { [data.property]: data.value });
    }),
  ],
});
