import { defineContext } from '@annals/kernel';
import { reminderDescriptions } from './audit/reminder.audit';
import { scheduledMessageDescriptions } from './audit/scheduled-message.audit';
import { scheduledRoom } from './application/guards';
import {
  MessageScheduled,
  ReminderDeleted,
  ReminderDelivered,
  ReminderFailed,
  ReminderNoted,
  ReminderSet,
  ScheduledMessageChanged,
  ScheduledMessageDeleted,
  ScheduledMessageFailed,
  ScheduledMessageSent,
} from './domain/events';
import { remindersPresenter, scheduledMessagesPresenter, schedulingFeed } from './feed/scheduling.feed';
import { QUEUES } from './jobs/due-jobs';
import { schedulingRegisterBlocks } from './read/list-scheduled';
import { readOldestDue } from './read/scheduled-row';
import { scheduledView } from './read/scheduled.view';

export const schedulingContext = defineContext({
  name: 'scheduling',
  events: [
    MessageScheduled,
    ScheduledMessageChanged,
    ScheduledMessageDeleted,
    ScheduledMessageSent,
    ScheduledMessageFailed,
    ReminderSet,
    ReminderNoted,
    ReminderDeleted,
    ReminderDelivered,
    ReminderFailed,
  ],
  descriptions: [...reminderDescriptions, ...scheduledMessageDescriptions],
  projections: [scheduledView],
  guards: [scheduledRoom],
  feeds: [schedulingFeed],
  presenters: [scheduledMessagesPresenter, remindersPresenter],
  registerBlocks: schedulingRegisterBlocks,
  unhandled: { 'scheduling.ReminderNoted': 'its reminder names its position' },
  queues: [
    { name: QUEUES.messages, oldestDue: (pool, now) => readOldestDue(pool, false, now) },
    { name: QUEUES.reminders, oldestDue: (pool, now) => readOldestDue(pool, true, now) },
  ],
});
