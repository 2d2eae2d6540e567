import type { RowChanges } from '@annals/kernel';
import { defineProjection, on } from '@annals/kernel';
import { ProfileDeleted } from '@annals/users';
import {
  MessageScheduled,
  ReminderDeleted,
  ReminderDelivered,
  ReminderFailed,
  ReminderSet,
  ScheduledMessageChanged,
  ScheduledMessageDeleted,
  ScheduledMessageFailed,
  ScheduledMessageSent,
} from '../domain/events';

/** One row for each message and reminder that waits or has failed. Its text is only in the log. */
export const scheduledView = defineProjection({
  name: 'scheduled',
  version: 2,
  lifecycle: 'inline',
  tables: {
    scheduled: {
      columns: {
        scheduled_id: 'int8',
        is_reminder: 'bool',
        user_id: 'int4',
        /** Client program that it was written with. */
        client: 'text',
        /** Milliseconds. */
        due_at: 'int8',
        has_failed: 'bool',
        /** The position of the event that contains its texts. */
        words_at: 'int8',
      },
      key: ['scheduled_id'],
      indexes: [
        { on: ['user_id', 'due_at', 'scheduled_id'] },
        { on: ['due_at', 'scheduled_id'], where: 'NOT has_failed' },
      ],
      changesOften: true,
    },
  },
  handlers: [
    on(MessageScheduled, ({ data, position, client }, rows) =>
      rows.insert('scheduled', {
        scheduled_id: position,
        is_reminder: false,
        user_id: data.userId,
        client,
        due_at: data.dueAt,
        has_failed: false,
        words_at: position,
      }),
    ),
    on(ScheduledMessageChanged, ({ data, position, client }, rows) =>
      rows.update(
        'scheduled',
        { scheduled_id: data.scheduledId },
        { client, due_at: data.dueAt, has_failed: false, words_at: position },
      ),
    ),
    on(ScheduledMessageDeleted, ({ data }, rows) => gone(rows, data.scheduledId)),
    on(ScheduledMessageSent, ({ data }, rows) => gone(rows, data.scheduledId)),
    on(ScheduledMessageFailed, ({ data }, rows) => failed(rows, data.scheduledId)),
    on(ReminderSet, ({ data, position, client }, rows) =>
      rows.insert('scheduled', {
        scheduled_id: position,
        is_reminder: true,
        user_id: data.userId,
        client,
        due_at: data.dueAt,
        has_failed: false,
        words_at: position,
      }),
    ),
    on(ReminderDeleted, ({ data }, rows) => gone(rows, data.reminderId)),
    on(ReminderDelivered, ({ data }, rows) => gone(rows, data.reminderId)),
    on(ReminderFailed, ({ data }, rows) => failed(rows, data.reminderId)),
    on(ProfileDeleted, ({ data }, rows) => rows.delete('scheduled', { user_id: data.userId })),
  ],
});

const gone = (rows: RowChanges, id: number): void => rows.delete('scheduled', { scheduled_id: id });
const failed = (rows: RowChanges, id: number): void =>
  rows.update('scheduled', { scheduled_id: id }, { has_failed: true });
