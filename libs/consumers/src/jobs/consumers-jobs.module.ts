import { Kernel, OutgoingRequests } from '@annals/kernel';
import { MessagesModule } from '@annals/messages';
import { UsersModule } from '@annals/users';
import type { BeforeApplicationShutdown, DynamicModule, OnApplicationBootstrap } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { WebhookNotices } from '../application/webhook/webhook-notices';
import { WebhookSender } from '../application/webhook/webhook-sender';
import { ConsumersModule } from '../consumers.module';
import { ConsumerFacts } from '../read/consumer-facts';
import { ConsumerRights } from '../read/consumer-rights';
import { BatchPlans } from './webhook/batch-plans';
import { PushWorker } from './webhook/push-worker';

/** What a worker does for consumers: it sends events to their webhooks. */
@Module({
  imports: [ConsumersModule, MessagesModule, UsersModule],
  providers: [
    WebhookNotices,
    WebhookSender,
    BatchPlans,
    {
      provide: PushWorker,
      inject: [Kernel, ConsumerFacts, ConsumerRights, BatchPlans, WebhookSender, WebhookNotices],
      useFactory: (
        kernel: Kernel,
        consumers: ConsumerFacts,
        rights: ConsumerRights,
        plans: BatchPlans,
        sender: WebhookSender,
        reports: WebhookNotices,
      ) => new PushWorker({ kernel, consumers, rights, plans, sender, reports }),
    },
  ],
})
export class ConsumersJobsModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(private readonly pushes: PushWorker) {}

  /** @param outgoing sends requests to the URLs that users choose */
  static through(outgoing: OutgoingRequests): DynamicModule {
    return { module: ConsumersJobsModule, providers: [{ provide: OutgoingRequests, useValue: outgoing }] };
  }

  onApplicationBootstrap(): Promise<void> {
    return this.pushes.begin();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.pushes.stop();
  }
}
