import { Kernel } from '@annals/kernel';
import { UsersModule } from '@annals/users';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { ChangeStatusHandler } from './application/change-status';
import { GetPresenceHandler } from './application/get-presence';
import { PresenceLists } from './application/presence-lists';
import { Presences } from './application/presences';
import { UpdatePresenceHandler } from './application/update-presence';
import { PresenceSweep } from './jobs/presence-sweep';
import { GetStatusHandler } from './read/statuses';

/** Presence and status of users, in an api process. */
@Module({
  imports: [UsersModule],
  providers: [
    Presences,
    PresenceLists,
    UpdatePresenceHandler,
    GetPresenceHandler,
    ChangeStatusHandler,
    GetStatusHandler,
  ],
  exports: [PresenceLists],
})
export class PresenceModule {}

/** The cleaning up in a worker. */
@Module({
  providers: [{ provide: PresenceSweep, inject: [Kernel], useFactory: (kernel: Kernel) => new PresenceSweep(kernel) }],
})
export class PresenceJobsModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(private readonly sweep: PresenceSweep) {}

  onApplicationBootstrap(): void {
    this.sweep.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.sweep.stop();
  }
}
