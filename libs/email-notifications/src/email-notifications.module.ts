import { GroupsModule } from '@annals/groups';
import { Kernel } from '@annals/kernel';
import { MailComposers } from '@annals/mail';
import { NotificationReasons } from '@annals/push';
import type { BeforeApplicationShutdown, OnApplicationBootstrap, OnModuleInit } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { AddressedMails } from './application/addressed-mails';
import { EndMailsHandler } from './application/end-mails';
import { MailReaders } from './application/mail-readers';
import { MailTokens } from './application/mail-tokens';
import { ReplyAddresses } from './application/reply-addresses';
import { UnsubscribeLinks } from './application/unsubscribe-links';
import { DigestComposer } from './jobs/digest-composer';
import { DigestSweep } from './jobs/digest-sweep';
import { DueMails } from './jobs/due-mails';
import { EmailNotifier } from './jobs/email-notifier';
import { LoginComposer } from './jobs/login-composer';
import { MissedMessageComposer } from './jobs/missed-message-composer';
import { MissedMessages } from './jobs/missed-messages';
import { RecipientWalk } from './jobs/recipient-walk';

/** Addresses and links in mails about messages, and what they do. */
@Module({
  imports: [GroupsModule],
  providers: [MailTokens, ReplyAddresses, UnsubscribeLinks, EndMailsHandler],
  exports: [ReplyAddresses, UnsubscribeLinks],
})
export class EmailNotificationsModule {}

/** The work of a worker: who missed messages, and their mails. */
@Module({
  imports: [GroupsModule, EmailNotificationsModule],
  providers: [
    NotificationReasons,
    MissedMessages,
    RecipientWalk,
    DueMails,
    MailReaders,
    AddressedMails,
    MissedMessageComposer,
    DigestComposer,
    LoginComposer,
    { provide: DigestSweep, inject: [Kernel], useFactory: (kernel: Kernel) => new DigestSweep(kernel) },
    {
      provide: EmailNotifier,
      inject: [Kernel, RecipientWalk, DueMails],
      useFactory: (...parts: ConstructorParameters<typeof EmailNotifier>) => new EmailNotifier(...parts),
    },
  ],
})
export class EmailNotificationsJobsModule implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly composers: MailComposers,
    private readonly missed: MissedMessageComposer,
    private readonly digest: DigestComposer,
    private readonly login: LoginComposer,
    private readonly notifier: EmailNotifier,
    private readonly digests: DigestSweep,
  ) {}

  onModuleInit(): void {
    for (const composer of [this.missed, this.digest, this.login]) this.composers.register(composer);
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.notifier.begin();
    this.digests.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.digests.stop();
    await this.notifier.stop();
  }
}
