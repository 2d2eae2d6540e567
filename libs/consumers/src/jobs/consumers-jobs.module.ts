import { Kernel, OutgoingRequests } from '@annals/kernel';
import { MessagesModule } from '@annals/messages';
import { UsersModule } from '@annals/users';
import type { BeforeApplicationShutdown, DynamicModule, OnApplicationBootstrap } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { SinkAddresses } from '../application/sink/sink-addresses';
import { SinkCredentials } from '../application/sink/sink-credentials';
import { WebhookNotices } from '../application/webhook/webhook-notices';
import { WebhookSender } from '../application/webhook/webhook-sender';
import { ConsumersModule } from '../consumers.module';
import { ConsumerFacts } from '../read/consumer-facts';
import { ConsumerRights } from '../read/consumer-rights';
import { SinkBatches } from './sink/sink-batches';
import { SinkConnections } from './sink/sink-connections';
import { BatchPlans } from './push/batch-plans';
import { PushWorker } from './push/push-worker';
import { WebhookBatches } from './push/webhook-batches';

/** What a worker does for consumers: it sends events to their webhooks and into their sinks. */
@Module({
  imports: [ConsumersModule, MessagesModule, UsersModule],
  providers: [
    WebhookNotices,
    WebhookSender,
    WebhookBatches,
    SinkAddresses,
    SinkConnections,
    SinkBatches,
    BatchPlans,
    {
      provide: PushWorker,
      inject: [Kernel, ConsumerFacts, ConsumerRights, BatchPlans, WebhookBatches, SinkBatches, WebhookNotices],
      useFactory: (
        kernel: Kernel,
        consumers: ConsumerFacts,
        rights: ConsumerRights,
        plans: BatchPlans,
        webhooks: WebhookBatches,
        sinks: SinkBatches,
        reports: WebhookNotices,
      ) => new PushWorker({ kernel, consumers, rights, plans, webhooks, sinks, reports }),
    },
  ],
})
export class ConsumersJobsModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(private readonly pushes: PushWorker) {}

  /**
   * @param outgoing sends requests to the URLs that users choose
   * @param credentials how this server logs in at engines
   */
  static through(outgoing: OutgoingRequests, credentials: SinkCredentials): DynamicModule {
    const providers = [
      { provide: OutgoingRequests, useValue: outgoing },
      { provide: SinkCredentials, useValue: credentials },
    ];
    return { module: ConsumersJobsModule, providers };
  }

  onApplicationBootstrap(): Promise<void> {
    return this.pushes.begin();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.pushes.stop();
  }
}
