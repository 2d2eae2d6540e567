import { Kernel } from '@annals/kernel';
import type { BeforeApplicationShutdown, DynamicModule, OnApplicationBootstrap } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { Sweeper } from './jobs/sweeper';
import { Translation } from './translation/translation';

/** The cleaning up in a worker, and the translation for workers that follow the log. */
@Module({})
export class FeedJobsModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(private readonly sweeper: Sweeper) {}

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

  onApplicationBootstrap(): void {
    this.sweeper.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.sweeper.stop();
  }
}
