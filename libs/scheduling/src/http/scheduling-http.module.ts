import { MessagesModule } from '@annals/messages';
import { Module } from '@nestjs/common';
import { ChangeScheduledMessageHandler } from '../application/change-scheduled-message';
import { DeleteReminderHandler } from '../application/delete-reminder';
import { DeleteScheduledMessageHandler } from '../application/delete-scheduled-message';
import { ReminderTexts } from '../application/reminder-texts';
import { ScheduleMessageHandler } from '../application/schedule-message';
import { SetReminderHandler } from '../application/set-reminder';
import { ListScheduledHandler } from '../read/list-scheduled';
import { RemindersController } from './reminders.controller';
import { ScheduledMessagesController } from './scheduled-messages.controller';

/** Scheduled messages, and reminders. */
@Module({
  imports: [MessagesModule],
  providers: [
    ReminderTexts,
    ScheduleMessageHandler,
    ChangeScheduledMessageHandler,
    DeleteScheduledMessageHandler,
    SetReminderHandler,
    DeleteReminderHandler,
    ListScheduledHandler,
  ],
  controllers: [ScheduledMessagesController, RemindersController],
})
export class SchedulingHttpModule {}
