import { defineProjection, on } from '@annals/kernel';
import { UserMuted, UserUnmuted } from '../../domain/muting/muting-events';

/** Which users an account has muted, as spans of positions: messages in a span were read on arrival. */
export const mutedUsersView = defineProjection({
  name: 'muted_users',
  version: 1,
  lifecycle: 'inline',
  tables: {
    muted_users: {
      columns: {
        user_id: 'int4',
        muted_user_id: 'int4',
        from_position: 'int8',
        /** Null while the user is muted. */
        to_position: 'int8',
        /** Milliseconds. */
        muted_at: 'int8',
      },
      key: ['user_id', 'muted_user_id', 'from_position'],
      indexes: [{ on: ['muted_user_id', 'user_id'] }],
    },
  },
  handlers: [
    on(UserMuted, ({ data, position, at }, rows) => {
      const key = { user_id: data.userId, muted_user_id: data.mutedUserId, from_position: position };
      rows.insert('muted_users', { ...key, to_position: null, muted_at: at });
    }),
    on(UserUnmuted, ({ data, position }, rows) => {
      const muted = { user_id: data.userId, muted_user_id: data.mutedUserId, to_position: null };
      rows.update('muted_users', muted, { to_position: position });
    }),
  ],
});
