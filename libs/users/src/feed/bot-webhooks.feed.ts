import { defineFeed, translate } from '@annals/kernel';
import { BotWebhookChanged } from '../domain/events';
import { administratorsOf, botEvent, isInBotEvent } from './users.feed';

/** contract/realtime.md section 6.3: the service of a bot changed. It needs no facts, unlike the feed of accounts. */
export const botWebhooksFeed = defineFeed({
  name: 'bot_webhooks',
  translations: [
    translate(BotWebhookChanged, ({ data }, _, append) => {
      const { userId, botOwnerId } = data;
      if (isInBotEvent(data, append)) return [];
      return [botEvent({ op: 'update', userId, property: 'services' }, administratorsOf(botOwnerId))];
    }),
  ],
});
