export { MailJobsModule, MailModule, transportOf } from './mail.module';
export { mailContext } from './mail.context';
export type { MailBlock, MailContent, MailDraft, MailLine, MailQuote, UnsubscribeLink } from './domain/mail-draft';
export { DueLater, TrustedHtml } from './domain/mail-draft';
export { isMailAddress, oneLine } from './domain/mail-address';
export type { MailedChannel, MailedConversation, BouncedMail } from './domain/incoming-part';
export {
  CHANNEL_WORDS,
  LONGEST_PART,
  MAX_LOCAL_PART,
  SIGNATURE_LENGTH,
  channelText,
  readBounce,
  readChannel,
  readReply,
  replyText,
} from './domain/incoming-part';
export { MailFailure } from './domain/mail-failure';
export { AddressBounced, AddressConfirmed } from './domain/events';
export { AddressBounces } from './application/address-bounces';
export { MailComposer, MailComposers } from './application/mail-composers';
export type { SmtpAccess } from './application/mail-options';
export { MailOptions } from './application/mail-options';
export { OWN_HEADER, OWN_MESSAGE_ID } from './application/letter';
export { MailFolder } from './application/transport/mail-folder';
export { MailSender } from './application/mail-sender';
export { readBouncing } from './read/bouncing-addresses';
export { MAIL_QUEUE, mailTasksReader } from './jobs/mail-outbox';
export type { NewMailTask } from './jobs/mail-tasks';
export { addMailTasks } from './jobs/mail-tasks';
export { MailDispatcher } from './jobs/mail-dispatcher';
export { discardParkedMail, readParkedMail, retryParkedMail } from './jobs/parked-mail';
