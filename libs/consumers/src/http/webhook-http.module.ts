import { GroupsModule } from '@annals/groups';
import { OutgoingRequests } from '@annals/kernel';
import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { EndWebhookHandler, RotateWebhookSecretHandler, SetWebhookHandler } from '../application/webhook/set-webhook';
import { TryWebhook } from '../application/webhook/try-webhook';
import { WebhookSecrets } from '../application/webhook/webhook-secrets';
import { WebhookSender } from '../application/webhook/webhook-sender';
import { ConsumersModule } from '../consumers.module';
import { ShownConsumers } from '../read/shown-consumers';
import { DeliveryHistory } from '../read/webhook/deliveries';
import { WebhookController } from './webhook.controller';

/** Webhooks of consumers, asked through HTTP (contract/feed.md section 6). */
@Module({
  imports: [GroupsModule, ConsumersModule],
  providers: [
    ShownConsumers,
    WebhookSecrets,
    WebhookSender,
    DeliveryHistory,
    TryWebhook,
    SetWebhookHandler,
    EndWebhookHandler,
    RotateWebhookSecretHandler,
  ],
  controllers: [WebhookController],
})
export class WebhookHttpModule {
  /** @param outgoing sends requests to the URLs that users choose */
  static through(outgoing: OutgoingRequests): DynamicModule {
    return { module: WebhookHttpModule, providers: [{ provide: OutgoingRequests, useValue: outgoing }] };
  }
}
