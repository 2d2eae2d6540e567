import { Kernel } from '@annals/kernel';
import type { BeforeApplicationShutdown, DynamicModule, OnApplicationBootstrap } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { AddressBounces } from './application/address-bounces';
import { MailComposers } from './application/mail-composers';
import { MailOptions } from './application/mail-options';
import { MailSender } from './application/mail-sender';
import { FileTransport } from './application/transport/file-transport';
import { MailTransport } from './application/transport/mail-transport';
import { SmtpTransport } from './application/transport/smtp-transport';
import { MailDispatcher } from './jobs/mail-dispatcher';

/** Where mails go by these options. */
export const transportOf = ({ smtp, folder }: MailOptions): MailTransport =>
  smtp === null ? new FileTransport(folder) : new SmtpTransport(smtp);

/** What contexts that write mails need. Global: many do. */
@Module({})
export class MailModule {
  static with(options: MailOptions): DynamicModule {
    return {
      module: MailModule,
      global: true,
      providers: [
        { provide: MailOptions, useValue: options },
        { provide: MailTransport, useFactory: () => transportOf(options) },
        MailComposers,
        MailSender,
        AddressBounces,
      ],
      exports: [MailOptions, MailComposers, MailSender, MailTransport, AddressBounces],
    };
  }
}

/** The worker sends mails. */
@Module({
  providers: [
    {
      provide: MailDispatcher,
      inject: [Kernel, MailComposers, MailSender, MailTransport],
      useFactory: (...parts: ConstructorParameters<typeof MailDispatcher>) => new MailDispatcher(...parts),
    },
  ],
})
export class MailJobsModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(private readonly dispatcher: MailDispatcher) {}

  onApplicationBootstrap(): Promise<void> {
    return this.dispatcher.begin();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.dispatcher.stop();
  }
}
