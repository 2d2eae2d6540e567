import { defineProjection, on } from '@annals/kernel';
import { ProfileDeleted } from '@annals/users';
import { StatusChanged } from '../domain/events';
import { statusOf } from '../domain/status';

/** The status of each user who has one. */
export const userStatusesView = defineProjection({
  name: 'user_statuses',
  version: 1,
  lifecycle: 'inline',
  tables: {
    user_statuses: {
      columns: { user_id: 'int8', text: 'text', emoji_type: 'text', emoji_code: 'text', emoji_name: 'text' },
      key: ['user_id'],
      sealed: ['text', 'emoji_type', 'emoji_code', 'emoji_name'],
    },
  },
  handlers: [
    on(StatusChanged, (event, rows) => {
      const { text, emoji } = statusOf(event);
      rows.upsert('user_statuses', {
        user_id: event.data.userId,
        text,
        emoji_type: emoji?.type ?? null,
        emoji_code: emoji?.code ?? null,
        emoji_name: emoji?.name ?? null,
      });
    }),
    on(ProfileDeleted, ({ data: { userId } }, rows) => rows.delete('user_statuses', { user_id: userId })),
  ],
});
