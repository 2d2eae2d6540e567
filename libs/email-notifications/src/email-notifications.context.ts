import { defineContext } from '@annals/kernel';
import { oldestEmailTask } from './jobs/email-task-rows';
import { EMAIL_QUEUE } from './jobs/email-tasks';
import { emailWishesView } from './read/email-wishes.view';
import { emailNotificationMigrations, forgetAhead } from './schema';

export const emailNotificationsContext = defineContext({
  name: 'email-notifications',
  projections: [emailWishesView],
  migrations: emailNotificationMigrations,
  queues: [{ name: EMAIL_QUEUE, oldestDue: oldestEmailTask }],
  restored: forgetAhead,
});
