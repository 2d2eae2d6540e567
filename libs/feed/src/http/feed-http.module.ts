import { Kernel } from '@annals/kernel';
import { PresenceLists, PresenceModule } from '@annals/presence';
import { UsersModule } from '@annals/users';
import { EventStreams } from '@annals/web';
import { EMPTY_TOPIC_DISPLAY_NAME, RealmFacts, SERVER_VERSION, ServerAddress, ServerFeatures } from '@annals/realm';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { ContextRules } from '../delivery/audience/context-rules';
import { Dispatcher } from '../delivery/dispatcher';
import { FeedServer, openFeed } from '../open-feed';
import { Register } from '../register/register';
import { UsualQueues } from '../register/usual-queues';
import { EventsController } from './events.controller';
import { QueueAnswers } from './queue-answers';
import { RegisterController } from './register.controller';

/** Queues and polls, in an api process. Needs what `RealmModule` and `ChannelsModule` provide. */
@Module({
  imports: [UsersModule, PresenceModule],
  controllers: [RegisterController, EventsController],
  providers: [
    UsualQueues,
    {
      provide: FeedServer,
      inject: [Kernel, RealmFacts, ServerAddress, ServerFeatures, PresenceLists],
      useFactory: (
        kernel: Kernel,
        realms: RealmFacts,
        address: ServerAddress,
        features: ServerFeatures,
        presences: PresenceLists,
      ) =>
        openFeed(kernel, {
          rules: new ContextRules(),
          addressOf: async (realmId) => address.urlOf((await realms.of(realmId)).subdomain),
          features,
          version: SERVER_VERSION,
          emptyTopic: EMPTY_TOPIC_DISPLAY_NAME,
          currentBlocks: [presences],
        }),
    },
    { provide: EventStreams, inject: [Kernel], useFactory: ({ clock }: Kernel) => new EventStreams(clock) },
    QueueAnswers,
    { provide: Dispatcher, inject: [FeedServer], useFactory: ({ dispatcher }: FeedServer) => dispatcher },
    { provide: Register, inject: [FeedServer], useFactory: ({ register }: FeedServer) => register },
  ],
  exports: [Dispatcher],
})
export class FeedHttpModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(private readonly feed: FeedServer) {}

  onApplicationBootstrap(): Promise<void> {
    return this.feed.start();
  }

  /** While connections are still open, so that every waiting client gets an answer. */
  beforeApplicationShutdown(): Promise<void> {
    return this.feed.stop();
  }
}
