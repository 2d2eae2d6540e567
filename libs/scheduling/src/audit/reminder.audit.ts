import type { EventDescription } from '@annals/kernel';
import { describeEvent, quoted, thing, wordsOf } from '@annals/kernel';
import { ReminderDeleted, ReminderDelivered, ReminderFailed, ReminderNoted, ReminderSet } from '../domain/events';
import { FAILURE_TEXTS, timeOf } from './texts';

const reminderSet = describeEvent(ReminderSet, {
  meaning: 'A user set a reminder of a message or of a note.',
  commands: ['SetReminder'],
  sentence: ({ position, data: { messageId, dueAt } }) => [
    `set reminder ${position}`,
    ...(messageId === null ? [] : [' of ', thing.message(messageId)]),
    ` for ${timeOf(dueAt)}`,
  ],
});

const noted = describeEvent(ReminderNoted, {
  meaning: 'A reminder of a message has a note.',
  commands: ['SetReminder'],
  sentence: (event) => [
    `noted in reminder ${event.data.reminderId}: `,
    quoted(
      wordsOf(event, ({ note }) => note),
      'a text',
    ),
  ],
});

const deleted = describeEvent(ReminderDeleted, {
  meaning: 'A reminder was deleted before it was delivered.',
  commands: ['DeleteReminder'],
  sentence: ({ data }) => [`deleted reminder ${data.reminderId}`],
});

const delivered = describeEvent(ReminderDelivered, {
  meaning: 'The notification bot sent a reminder.',
  commands: ['ReminderDeliveries'],
  sentence: ({ data: { reminderId, userId, deliveredAs } }) => [
    `delivered reminder ${reminderId} to `,
    thing.user(userId),
    ' as ',
    thing.message(deliveredAs),
  ],
});

const failed = describeEvent(ReminderFailed, {
  meaning: 'A reminder could not be delivered.',
  commands: ['ReminderDeliveries'],
  sentence: ({ data: { reminderId, userId, failure } }) => [
    `could not deliver reminder ${reminderId} to `,
    thing.user(userId),
    `, because ${FAILURE_TEXTS[failure]}`,
  ],
});

export const reminderDescriptions: readonly EventDescription[] = [reminderSet, noted, deleted, delivered, failed];
