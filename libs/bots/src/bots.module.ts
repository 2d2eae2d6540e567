import { GroupsModule } from '@annals/groups';
import { Kernel, OutgoingRequests } from '@annals/kernel';
import { MessagesModule } from '@annals/messages';
import { UsersModule } from '@annals/users';
import type { BeforeApplicationShutdown, DynamicModule, OnApplicationBootstrap } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { Answers } from './application/answers';
import { CounterAnswers } from './application/counter-answers';
import { Replies } from './application/replies';
import { TryOutWelcomeHandler } from './application/try-out-welcome';
import { Welcomes } from './application/welcomes';
import { WebhookDeliveries } from './application/webhook/webhook-deliveries';
import { WebhookPayloads } from './application/webhook/webhook-payloads';
import { WebhookReports } from './application/webhook/webhook-reports';
import { WebhookRequests } from './application/webhook/webhook-requests';
import { BotOptions } from './jobs/bot-tasks';
import { TaskRunner } from './jobs/task-runner';
import { DeliveryWorker } from './jobs/webhook/delivery-worker';

/** What the welcome bot writes. */
@Module({
  imports: [UsersModule, MessagesModule],
  providers: [Welcomes, TryOutWelcomeHandler],
  exports: [Welcomes],
})
export class BotsModule {}

/** The bots that a worker runs. */
@Module({
  imports: [BotsModule, UsersModule, GroupsModule, MessagesModule],
  providers: [
    Replies,
    CounterAnswers,
    Answers,
    WebhookPayloads,
    WebhookRequests,
    WebhookReports,
    WebhookDeliveries,
    {
      provide: DeliveryWorker,
      inject: [Kernel, WebhookDeliveries],
      useFactory: (kernel: Kernel, deliveries: WebhookDeliveries) => new DeliveryWorker(kernel, deliveries),
    },
    {
      provide: TaskRunner,
      inject: [Kernel, Answers, Welcomes],
      useFactory: (...parts: ConstructorParameters<typeof TaskRunner>) => new TaskRunner(...parts),
    },
  ],
  exports: [BotOptions],
})
export class BotsJobsModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly runner: TaskRunner,
    private readonly deliveries: DeliveryWorker,
  ) {}

  /** @param outgoing sends requests to the programs behind bots */
  static with(options: BotOptions, outgoing: OutgoingRequests): DynamicModule {
    const providers = [
      { provide: BotOptions, useValue: options },
      { provide: OutgoingRequests, useValue: outgoing },
    ];
    return { module: BotsJobsModule, providers };
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.runner.begin();
    await this.deliveries.begin();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.runner.stop(), this.deliveries.stop()]);
  }
}
