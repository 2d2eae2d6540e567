import { GroupsModule } from '@annals/groups';
import { Kernel } from '@annals/kernel';
import { KeyEndings } from '@annals/users';
import type { BeforeApplicationShutdown, DynamicModule, OnApplicationBootstrap } from '@nestjs/common';
import { Module } from '@nestjs/common';
import type { BouncerAccess } from './application/bouncer';
import { Bouncer } from './application/bouncer';
import { AddDeviceHandler, RemoveDeviceHandler } from './application/devices';
import { RegistrationsEndWithKeys } from './application/key-endings';
import { AddLegacyTokenHandler, RemoveLegacyTokenHandler } from './application/legacy-tokens';
import { NotificationReasons } from './application/notification-reasons';
import { PushSender } from './application/push-sender';
import { RegisterPushHandler } from './application/register-push';
import { Registrations } from './application/registrations';
import { SendLegacyTestNotificationHandler, SendTestNotificationHandler } from './application/test-notification';
import { PushDispatcher } from './jobs/push-dispatcher';
import { Notifications } from './jobs/notifications';
import { Withdrawals } from './jobs/withdrawals';

/** Devices and their registrations. Global, because the users context ends registrations when it renews the keys of an account. */
@Module({})
export class PushModule {
  /** @param access null without a push service */
  static through(access: BouncerAccess | null): DynamicModule {
    return {
      module: PushModule,
      global: true,
      providers: [
        { provide: Bouncer, useValue: new Bouncer(access) },
        { provide: KeyEndings, useClass: RegistrationsEndWithKeys },
        Registrations,
        AddDeviceHandler,
        RemoveDeviceHandler,
        RegisterPushHandler,
        AddLegacyTokenHandler,
        RemoveLegacyTokenHandler,
        SendTestNotificationHandler,
        SendLegacyTestNotificationHandler,
      ],
      exports: [Bouncer, KeyEndings, Registrations],
    };
  }
}

/** The requests of a worker to the push service. */
@Module({
  imports: [GroupsModule],
  providers: [
    PushSender,
    NotificationReasons,
    Notifications,
    Withdrawals,
    {
      provide: PushDispatcher,
      inject: [Kernel, Registrations, Notifications, Withdrawals],
      useFactory: (...parts: ConstructorParameters<typeof PushDispatcher>) => new PushDispatcher(...parts),
    },
  ],
})
export class PushJobsModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly dispatcher: PushDispatcher,
    private readonly bouncer: Bouncer,
  ) {}

  /** Without a push service there is nothing to send. */
  async onApplicationBootstrap(): Promise<void> {
    if (this.bouncer.isConfigured) await this.dispatcher.begin();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.dispatcher.stop();
  }
}
