import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { OrganizationDeletions } from './organization-deletions';

/** The end of organizations, in a worker. */
@Module({ providers: [OrganizationDeletions] })
export class RealmJobsModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(private readonly deletions: OrganizationDeletions) {}

  onApplicationBootstrap(): void {
    this.deletions.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.deletions.stop();
  }
}
