import { Kernel, OtherFiles } from '@annals/kernel';
import type { BeforeApplicationShutdown, DynamicModule, OnApplicationBootstrap } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { AddressBounces } from './application/address-bounces';
import { MailComposers } from './application/mail-composers';
import { MailOptions } from './application/mail-options';
import { MailSender } from './application/mail-sender';
import { FileTransport } from './application/transport/file-transport';
import { MailFolder } from './application/transport/mail-folder';
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
        { provide: MailFolder, useFactory: () => new MailFolder(options.folder) },
        { provide: OtherFiles, useExisting: MailFolder },
        MailComposers,
        MailSender,
        AddressBounces,
      ],
      exports: [MailOptions, MailComposers, MailSender, MailTransport, MailFolder, OtherFiles, AddressBounces],
    };
  }
}

/** The worker sends mails. */
@Module({
  providers: [
    {
      provide: MailDispatcher,
      inject: [Kernel, MailComposers, MailSender, MailTransport, MailFolder],
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
