import { defineContext } from '@annals/kernel';
import { consumerNameFree, consumerRoom } from './application/guards';
import { consumerDescriptions } from './audit/consumer.audit';
import {
  ConsumerChanged,
  ConsumerCreated,
  ConsumerDeleted,
  ConsumerPaused,
  ConsumerResumed,
  ConsumerRewound,
} from './domain/events';
import { webhookDescriptions } from './audit/webhook.audit';
import {
  WebhookEnded,
  WebhookFailureReported,
  WebhookSecretRotated,
  WebhookSet,
} from './domain/webhook/webhook-events';
import { PUSH_QUEUE } from './jobs/webhook/webhook-wake-ups';
import { readOldestPush } from './jobs/webhook/push-candidates';
import { consumersView } from './read/consumers.view';
import { webhooksView } from './read/webhook/webhooks.view';
import { consumerMigrations, newestConsumed, takeConsumersBack } from './schema';

export const consumersContext = defineContext({
  name: 'consumers',
  events: [
    ConsumerCreated,
    ConsumerChanged,
    ConsumerPaused,
    ConsumerResumed,
    ConsumerRewound,
    ConsumerDeleted,
    WebhookSet,
    WebhookEnded,
    WebhookSecretRotated,
    WebhookFailureReported,
  ],
  guards: [consumerNameFree, consumerRoom],
  projections: [consumersView, webhooksView],
  descriptions: [...consumerDescriptions, ...webhookDescriptions],
  unhandled: { 'consumers.WebhookFailureReported': 'it only prevents a second message to the owner' },
  migrations: consumerMigrations,
  queues: [{ name: PUSH_QUEUE, oldestDue: readOldestPush }],
  known: newestConsumed,
  restored: takeConsumersBack,
});
