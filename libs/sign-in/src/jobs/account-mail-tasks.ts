import type { Kernel } from '@annals/kernel';
import { mailTasksReader } from '@annals/mail';
import { emailChangeTasks } from './email-mails';
import { passwordTasks } from './password-mails';
import { twoFactorTasks } from './two-factor-mails';

/** The mails that changes of an account cause. */
export const accountMails = (kernel: Kernel) =>
  mailTasksReader(kernel, 'account-mails', (event) => [
    ...passwordTasks(event),
    ...emailChangeTasks(event),
    ...twoFactorTasks(event),
  ]);
