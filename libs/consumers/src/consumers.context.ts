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
import { sinkDescriptions } from './audit/sink.audit';
import { webhookDescriptions } from './audit/webhook.audit';
import { SinkEnded, SinkSet } from './domain/sink/sink-events';
import {
  WebhookEnded,
  WebhookFailureReported,
  WebhookSecretRotated,
  WebhookSet,
} from './domain/webhook/webhook-events';
import { PUSH_QUEUE } from './jobs/push/push-wake-ups';
import { readOldestPush } from './jobs/push/push-candidates';
import { consumersView } from './read/consumers.view';
import { sinksView } from './read/sink/sinks.view';
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
    SinkSet,
    SinkEnded,
  ],
  guards: [consumerNameFree, consumerRoom],
  projections: [consumersView, webhooksView, sinksView],
  descriptions: [...consumerDescriptions, ...webhookDescriptions, ...sinkDescriptions],
  unhandled: { 'consumers.WebhookFailureReported': 'it only prevents a second message to the owner' },
  migrations: consumerMigrations,
  queues: [{ name: PUSH_QUEUE, oldestDue: readOldestPush }],
  known: newestConsumed,
  restored: takeConsumersBack,
});
