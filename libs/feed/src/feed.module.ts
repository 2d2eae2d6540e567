import { Kernel } from '@annals/kernel';
import { UsersModule } from '@annals/users';
import { EMPTY_TOPIC_DISPLAY_NAME, RealmFacts, SERVER_VERSION, ServerAddress, ServerFeatures } from '@annals/realm';
import type { BeforeApplicationShutdown, DynamicModule, OnApplicationBootstrap } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { ContextRules } from './delivery/context-rules';
import { Dispatcher } from './delivery/dispatcher';
import { EventsController } from './http/events.controller';
import { RegisterController } from './http/register.controller';
import { Feed, openFeed } from './open-feed';
import { Register } from './register/register';
import { UsualQueues } from './register/usual-queues';
import { Sweeper } from './jobs/sweeper';
import { Translation } from './translation/translation';

/** Queues and polls, in an api process. Needs what `RealmModule` and `ChannelsModule` provide. */
@Module({
  imports: [UsersModule],
  controllers: [RegisterController, EventsController],
  providers: [
    UsualQueues,
    {
      provide: Feed,
      inject: [Kernel, RealmFacts, ServerAddress, ServerFeatures],
      useFactory: (kernel: Kernel, realms: RealmFacts, address: ServerAddress, features: ServerFeatures) =>
        openFeed(kernel, {
          rules: new ContextRules(),
          addressOf: async (realmId) => address.urlOf((await realms.of(realmId)).subdomain),
          features,
          version: SERVER_VERSION,
          emptyTopic: EMPTY_TOPIC_DISPLAY_NAME,
        }),
    },
    { provide: Dispatcher, inject: [Feed], useFactory: ({ dispatcher }: Feed) => dispatcher },
    { provide: Register, inject: [Feed], useFactory: ({ register }: Feed) => register },
  ],
  exports: [Dispatcher],
})
export class FeedHttpModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(private readonly feed: Feed) {}

  onApplicationBootstrap(): Promise<void> {
    return this.feed.start();
  }

  /** While connections are still open: everybody who waits gets an answer. */
  beforeApplicationShutdown(): Promise<void> {
    return this.feed.stop();
  }
}

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
