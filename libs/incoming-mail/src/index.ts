export { IncomingMailJobsModule, IncomingMailModule } from './incoming-mail.module';
export { incomingMailContext } from './incoming-mail.context';
export { ChannelAddresses } from './application/channel-addresses';
export type { DeliveredMail } from './application/mail-receiver';
export { MailReceiver } from './application/mail-receiver';
export type { LmtpOptions } from './jobs/lmtp-server';
export { LmtpServer } from './jobs/lmtp-server';
