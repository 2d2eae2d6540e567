import { defineProjection, on } from '@annals/kernel';
import { BotWebhookChanged, ProfileDeleted } from '../../domain/events';

/** Where the server sends what users ask bots of type 3. */
export const botWebhooksView = defineProjection({
  name: 'bot_webhooks',
  version: 1,
  lifecycle: 'inline',
  tables: {
    bot_webhooks: {
      columns: {
        bot_id: 'int8',
        format: 'text',
        /** Empty if there is none, and once it was erased. */
        url: 'text',
      },
      key: ['bot_id'],
      sealed: ['url'],
    },
  },
  handlers: [
    on(BotWebhookChanged, ({ data: { userId, format }, sealed }, rows) => {
      rows.upsert('bot_webhooks', { bot_id: userId, format, url: sealed === 'erased' ? '' : sealed.url });
    }),
    on(ProfileDeleted, ({ data: { userId } }, rows) => rows.delete('bot_webhooks', { bot_id: userId })),
  ],
});
