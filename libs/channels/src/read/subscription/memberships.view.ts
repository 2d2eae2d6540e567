import { containsSql, defineProjection, increment, on } from '@annals/kernel';
import { Deactivated } from '@annals/users';
import { ChannelCreated, Returned, SubscriptionPropertyChanged, Subscribed, Unsubscribed } from '../../domain/events';

/** A span of a user whose account was deactivated, and who returned later, was open until the return. */
const isOpenAt = (position: string) => `(m.continuous_until IS NULL OR m.continuous_until > ${position})`;

const membershipsAt = (realm: string, position: string) => `SELECT m.realm_id, m.channel_id, m.user_id, m.from_position,
    CASE WHEN m.continuous_until <= ${position} THEN m.to_position END AS to_position,
    CASE WHEN m.continuous_until <= ${position} THEN m.continuous_until END AS continuous_until,
    ${isOpenAt(position)} AND (coalesce(m.to_position <= ${position}, false) OR m.is_departed AND NOT EXISTS (
      SELECT FROM view.account_spans AS s WHERE s.realm_id = m.realm_id AND s.user_id = m.user_id AND s.is_active
        AND ${containsSql('s', position)})) AS is_departed,
    m.last_position
  FROM view.memberships AS m WHERE m.realm_id = ${realm} AND m.from_position <= ${position}`;

const channelSizesAt = (realm: string, position: string) => `SELECT c.realm_id, c.channel_id, (SELECT count(*)::int4
    FROM view.memberships AS m WHERE m.realm_id = c.realm_id AND m.channel_id = c.channel_id
      AND m.from_position <= ${position} AND ${isOpenAt(position)}) AS members, c.last_position
  FROM view.channels AS c WHERE c.realm_id = ${realm} AND c.created_position <= ${position}`;

/**
 * Subscriptions as spans of positions. Each new subscription begins a span. The settings of a subscription remain when
 * its spans end.
 */
export const membershipsView = defineProjection({
  name: 'memberships',
  version: 6,
  lifecycle: 'inline',
  tables: {
    memberships: {
      columns: {
        channel_id: 'int4',
        user_id: 'int4',
        from_position: 'int8',
        /** Null while the user is subscribed. */
        to_position: 'int8',
        /**
         * Like `to_position`, except for a span that ended with the deactivation of the account: then the position at
         * which the account was reactivated. The user has not left the channel.
         */
        continuous_until: 'int8',
        /** Whether the user is subscribed with a deactivated account. Such users are in no list. */
        is_departed: 'bool',
      },
      key: ['channel_id', 'user_id', 'from_position'],
      indexes: [
        { on: ['user_id', 'channel_id'] },
        { on: ['channel_id'], where: 'is_departed AND to_position IS NULL' },
      ],
      past: { query: membershipsAt },
    },
    /** Number of subscribers, including those with deactivated accounts. It cannot be counted again for each reader. */
    channel_sizes: {
      columns: { channel_id: 'int4', members: 'int4' },
      key: ['channel_id'],
      changesOften: true,
      past: { query: channelSizesAt },
    },
    subscriptions: {
      columns: {
        user_id: 'int4',
        channel_id: 'int4',
        color: 'text',
        is_muted: 'bool',
        pin_to_top: 'bool',
        /** Null means the setting of the user, here and below. */
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
        const span = { from_position: position, to_position: null, continuous_until: null, is_departed: false };
        rows.insert('memberships', { channel_id, user_id, ...span });
        // A user who returns has a row already. Inserting it again changes nothing.
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
        rows.update('memberships', open, { to_position: position, continuous_until: position });
      }
    }),
    on(Deactivated, ({ data }, rows) =>
      rows.update('memberships', { user_id: data.userId, to_position: null }, { is_departed: true }),
    ),
    on(Returned, ({ data: { userId: user_id, channelIds, since }, position }, rows) => {
      for (const channel_id of channelIds) {
        const ended = { to_position: since, continuous_until: position, is_departed: false };
        rows.update('memberships', { channel_id, user_id, to_position: null }, ended);
        const span = { from_position: position, to_position: null, continuous_until: null, is_departed: false };
        rows.insert('memberships', { channel_id, user_id, ...span });
      }
    }),
    on(SubscriptionPropertyChanged, ({ data }, rows) => {
      const own = { user_id: data.userId, channel_id: data.channelId };
      rows.update('subscriptions', own, { [data.property]: data.value });
    }),
  ],
});
