import { Kernel } from '@annals/kernel';
import type { BeforeApplicationShutdown, DynamicModule, OnApplicationBootstrap } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { Sweeper } from './jobs/sweeper';
import { Translation } from './translation/translation';

/** Translation and cleaning up, in a worker. */
@Module({})
export class FeedJobsModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly translation: Translation,
    private readonly sweeper: Sweeper,
  ) {}

  /** @param queueDays how long a queue lives without a poll (`ANNALS_QUEUE_DAYS`) */
  static keeping(queueDays: number): DynamicModule {
    return {
      module: FeedJobsModule,
      providers: [
        { provide: Translation, inject: [Kernel], useFactory: (kernel: Kernel) => new Translation(kernel) },
        { provide: Sweeper, inject: [Kernel], useFactory: (kernel: Kernel) => new Sweeper(kernel, queueDays) },
      ],
      exports: [Translation],
    };
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.translation.start();
    this.sweeper.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.sweeper.stop();
    await this.translation.stop();
  }
}
