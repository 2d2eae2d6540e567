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
import { RegisterPushHandler } from './application/register-push';
import { Registrations } from './application/registrations';
import { SendLegacyTestNotificationHandler, SendTestNotificationHandler } from './application/test-notification';
import { PushDispatcher } from './jobs/push-dispatcher';
import { Notifications } from './jobs/notifications';

/** Devices and their registrations. Global, because what ends with the keys of an account is asked by accounts. */
@Module({})
export class PushModule {
  /** @param access null where the operator has set no push service up */
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

/** What is asked of the push service, in a worker. */
@Module({
  imports: [GroupsModule],
  providers: [
    Notifications,
    {
      provide: PushDispatcher,
      inject: [Kernel, Registrations, Notifications],
      useFactory: (kernel: Kernel, registrations: Registrations, notifications: Notifications) =>
        new PushDispatcher(kernel, registrations, notifications),
    },
  ],
})
export class PushJobsModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly messenger: PushDispatcher,
    private readonly bouncer: Bouncer,
  ) {}

  /** Without a push service there is nothing to carry anywhere. */
  async onApplicationBootstrap(): Promise<void> {
    if (this.bouncer.isConfigured) await this.messenger.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.messenger.stop();
  }
}
