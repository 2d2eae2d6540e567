export { EmailNotificationsJobsModule, EmailNotificationsModule } from './email-notifications.module';
export { emailNotificationsContext } from './email-notifications.context';
export type { RepliedConversation, ReplyTarget } from './application/reply-addresses';
export { MailTokens } from './application/mail-tokens';
export { ReplyAddresses } from './application/reply-addresses';
export { DigestSweep } from './jobs/digest-sweep';
export { EmailNotifier } from './jobs/email-notifier';
export { emailTasks } from './jobs/email-tasks';
export { loginMails } from './jobs/login-mails';
