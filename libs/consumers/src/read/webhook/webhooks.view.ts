import { defineProjection, on } from '@annals/kernel';
import { ConsumerDeleted, ConsumerResumed } from '../../domain/events';
import { WebhookEnded, WebhookSecretRotated, WebhookSet } from '../../domain/webhook/webhook-events';

/** Where the server sends the events of consumers. */
export const webhooksView = defineProjection({
  name: 'consumer_webhooks',
  version: 1,
  lifecycle: 'inline',
  tables: {
    consumer_webhooks: {
      columns: {
        consumer_id: 'int8',
        /** Empty once it was erased. */
        url: 'text',
        batch: 'bool',
        /** Position of the event since which no earlier failure makes it wait: it was set, or the consumer was resumed. */
        fresh_since: 'int8',
        /** Milliseconds. The secret from before is used for a day. Null if there was none. */
        rotated_at: 'int8',
      },
      key: ['consumer_id'],
      sealed: ['url'],
    },
  },
  handlers: [
    on(WebhookSet, ({ data: { consumerId, batch }, sealed, position }, rows) =>
      rows.upsert('consumer_webhooks', {
        consumer_id: consumerId,
        url: sealed === 'erased' ? '' : sealed.url,
        batch,
        fresh_since: position,
        rotated_at: null,
      }),
    ),
    on(WebhookSecretRotated, ({ data: { consumerId }, at }, rows) =>
      rows.update('consumer_webhooks', { consumer_id: consumerId }, { rotated_at: at }),
    ),
    on(ConsumerResumed, ({ data: { consumerId }, position }, rows) =>
      rows.update('consumer_webhooks', { consumer_id: consumerId }, { fresh_since: position }),
    ),
    on(WebhookEnded, ({ data: { consumerId } }, rows) => rows.delete('consumer_webhooks', { consumer_id: consumerId })),
    on(ConsumerDeleted, ({ data: { consumerId } }, rows) =>
      rows.delete('consumer_webhooks', { consumer_id: consumerId }),
    ),
  ],
});
