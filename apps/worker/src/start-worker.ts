import { AuditJobsModule, ProofOptions } from '@annals/audit';
import { BotOptions, BotsJobsModule } from '@annals/bots';
import { ConsumersJobsModule, SinkCredentials } from '@annals/consumers';
import { EmailNotificationsJobsModule } from '@annals/email-notifications';
import { FeedJobsModule } from '@annals/feed';
import { FilesJobsModule } from '@annals/files';
import { InvitationsJobsModule } from '@annals/invitations';
import type { Kernel } from '@annals/kernel';
import { AddressGuard, JsonLog, OutgoingRequests } from '@annals/kernel';
import { IncomingMailJobsModule } from '@annals/incoming-mail';
import { MailJobsModule } from '@annals/mail';
import { MessagesJobsModule } from '@annals/messages';
import { PresenceJobsModule } from '@annals/presence';
import { DirectoryJobsModule } from '@annals/provisioning';
import { PushJobsModule } from '@annals/push';
import { RealmJobsModule, ServerAddress } from '@annals/realm';
import { SchedulingJobsModule } from '@annals/scheduling';
import { SignInJobsModule } from '@annals/sign-in';
import { UsersJobsModule } from '@annals/users';
import type { DynamicModule, INestApplicationContext } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { contextModules } from '../../shared/src/modules/context-modules';
import { defaultAddressOf } from '../../shared/src/open-kernel';
import { keyStoreOf, witnessesOf } from '../../shared/src/proof';
import { lmtpOf } from '../../shared/src/mail/mail-options';
import { readSinkCredentials } from '../../shared/src/sink-credentials';
import type { Settings } from '../../shared/src/settings';
import { ErasingModule } from './eraser';
import { Follower } from './follower';
import { Upgrades, upgrade } from './upgrades';

type WorkerSettings = Pick<
  Settings,
  | 'ANNALS_AUDIT_KEY'
  | 'ANNALS_AUDIT_WITNESSES'
  | 'ANNALS_DATA_DIR'
  | 'ANNALS_DEV_LOGINS'
  | 'ANNALS_ERASURE_DAYS'
  | 'ANNALS_INVITATIONS_PER_DAY'
  | 'ANNALS_LATE_MINUTES'
  | 'ANNALS_LOG_LEVEL'
  | 'ANNALS_LMTP_HOST'
  | 'ANNALS_LMTP_PORT'
  | 'ANNALS_MAIL_FROM'
  | 'ANNALS_MAIL_PATTERN'
  | 'ANNALS_MAX_UPLOAD_MIB'
  | 'ANNALS_PUSH_BOUNCER_URL'
  | 'ANNALS_PUSH_ORG_ID'
  | 'ANNALS_PUSH_ORG_KEY'
  | 'ANNALS_QUEUE_DAYS'
  | 'ANNALS_SIGN_ON_FILE'
  | 'ANNALS_SINK_CREDENTIALS'
  | 'ANNALS_TRUSTED_PROXIES'
  | 'ANNALS_SMTP_URL'
  | 'ANNALS_UPLOAD_QUOTA_MIB'
  | 'ANNALS_URL'
  | 'ANNALS_WEBHOOK_ALLOW'
  | 'ANNALS_WEB_PUBLIC_CHANNELS'
  | 'ANNALS_WELCOME_BOT'
  | 'HOST'
  | 'PORT'
>;

/** How specs start a worker. */
export interface WorkerOptions {
  /** False: checkpoints are signed on request only, because the first one adds an event to the log. */
  readonly signs?: boolean;
  /** False: thumbnails and link previews are made on request only, because they add events to the log. */
  readonly enriches?: boolean;
}

/** Everything that follows the log and the clock: read models, the translation into client events, counts, due rows. */
@Module({})
export class WorkerModule {
  static of(
    kernel: Kernel,
    settings: WorkerSettings,
    { signs = true, enriches = true }: WorkerOptions = {},
  ): DynamicModule {
    const outgoing = new OutgoingRequests(new AddressGuard(settings.ANNALS_WEBHOOK_ALLOW));
    return {
      module: WorkerModule,
      imports: [
        ...contextModules({ kernel, settings, address: new ServerAddress(defaultAddressOf(settings)) }),
        FeedJobsModule.keeping(settings.ANNALS_QUEUE_DAYS),
        AuditJobsModule.proving(new ProofOptions(keyStoreOf(settings), witnessesOf(settings), signs)),
        ErasingModule.after(settings.ANNALS_ERASURE_DAYS),
        FilesJobsModule.makingThumbnails(enriches),
        MessagesJobsModule.previewing(outgoing, enriches),
        PresenceJobsModule,
        PushJobsModule,
        MailJobsModule,
        IncomingMailJobsModule.at(lmtpOf(settings)),
        EmailNotificationsJobsModule,
        BotsJobsModule.with(new BotOptions(settings.ANNALS_WELCOME_BOT === 'on'), outgoing),
        SchedulingJobsModule.lateBy(settings.ANNALS_LATE_MINUTES),
        RealmJobsModule,
        UsersJobsModule,
        SignInJobsModule,
        InvitationsJobsModule,
        DirectoryJobsModule,
        ConsumersJobsModule.through(
          outgoing,
          new SinkCredentials(readSinkCredentials(settings.ANNALS_SINK_CREDENTIALS)),
        ),
      ],
      providers: [Follower, Upgrades],
    };
  }
}

/**
 * Starts to work. Read models that are not live in the version of this code are built first, beside the live ones.
 * Processes of the old version continue to serve.
 */
export async function startWorker(
  kernel: Kernel,
  settings: WorkerSettings,
  log = new JsonLog(settings.ANNALS_LOG_LEVEL),
  options: WorkerOptions = {},
): Promise<INestApplicationContext> {
  await kernel.announce('worker');
  await kernel.store.ensureLive(kernel.projections);
  await upgrade(kernel, log);
  return NestFactory.createApplicationContext(WorkerModule.of(kernel, settings, options), {
    logger: log,
    abortOnError: false,
  });
}
