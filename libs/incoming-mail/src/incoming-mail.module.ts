import { ChannelEmails } from '@annals/channels';
import { EmailNotificationsModule, MailTokens } from '@annals/email-notifications';
import { FilesModule } from '@annals/files';
import { GroupsModule } from '@annals/groups';
import { Kernel } from '@annals/kernel';
import { MessagesModule } from '@annals/messages';
import { UsersModule } from '@annals/users';
import type { BeforeApplicationShutdown, DynamicModule, OnApplicationBootstrap } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { ChannelAddresses } from './application/channel-addresses';
import { GatewayBot } from './application/gateway-bot';
import { MailAttachments } from './application/mail-attachments';
import { MailPosting } from './application/mail-posting';
import { MailReceiver } from './application/mail-receiver';
import type { LmtpOptions } from './jobs/lmtp-server';
import { LmtpServer } from './jobs/lmtp-server';

/** The addresses of channels. Global, because the channels context answers what the address of a channel is. */
@Module({
  providers: [MailTokens, ChannelAddresses, { provide: ChannelEmails, useExisting: ChannelAddresses }],
  exports: [ChannelAddresses, ChannelEmails],
})
export class IncomingMailModule {
  static everywhere(): DynamicModule {
    return { module: IncomingMailModule, global: true };
  }
}

/** Whether a worker opens a port for mail. */
class MailPort {
  constructor(readonly isOpen: boolean) {}
}

/** A worker takes mails. */
@Module({ imports: [UsersModule, GroupsModule, FilesModule, MessagesModule, EmailNotificationsModule] })
export class IncomingMailJobsModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  /** @param lmtp null: this worker opens no port for mail */
  static at(lmtp: LmtpOptions | null): DynamicModule {
    const server = {
      provide: LmtpServer,
      inject: [Kernel, MailReceiver],
      useFactory: (kernel: Kernel, receiver: MailReceiver) =>
        new LmtpServer(kernel, receiver, lmtp ?? { host: '127.0.0.1', port: 0 }),
    };
    return {
      module: IncomingMailJobsModule,
      providers: [
        GatewayBot,
        MailAttachments,
        MailPosting,
        MailReceiver,
        server,
        { provide: MailPort, useValue: new MailPort(lmtp !== null) },
      ],
    };
  }

  constructor(
    private readonly server: LmtpServer,
    private readonly port: MailPort,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.port.isOpen) await this.server.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.server.stop();
  }
}
