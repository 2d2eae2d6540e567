import { GroupsModule } from '@annals/groups';
import { Kernel } from '@annals/kernel';
import { OnboardingModule } from '@annals/onboarding';
import { OfferedDirectories } from '@annals/sign-in';
import { UsersModule } from '@annals/users';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { AccountChanges } from './application/ldap/account-changes';
import { DirectoryRuns } from './application/ldap/directory-runs';
import { DirectorySync } from './application/ldap/directory-sync';
import { LogRoom } from './application/ldap/log-room';
import { MembershipChanges } from './application/ldap/membership-changes';
import { PictureChanges } from './application/ldap/picture-changes';
import { ScheduledRuns } from './jobs/scheduled-runs';
import { FilledParts } from './read/ldap/filled-parts';

/** Runs that make accounts follow directories. Needs `LdapModule`. */
@Module({
  imports: [UsersModule, GroupsModule, OnboardingModule],
  providers: [FilledParts, LogRoom, AccountChanges, MembershipChanges, PictureChanges, DirectorySync, DirectoryRuns],
  exports: [DirectoryRuns],
})
export class DirectoryModule {}

/** The runs that a worker makes by itself. */
@Module({
  imports: [DirectoryModule],
  providers: [
    {
      provide: ScheduledRuns,
      inject: [Kernel, OfferedDirectories, DirectoryRuns],
      useFactory: (...parts: ConstructorParameters<typeof ScheduledRuns>) => new ScheduledRuns(...parts),
    },
  ],
})
export class DirectoryJobsModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(private readonly runs: ScheduledRuns) {}

  onApplicationBootstrap(): void {
    this.runs.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.runs.stop();
  }
}
