import { defineContext } from '@annals/kernel';
import { queryDescriptions } from './audit/query.audit';
import { welcomeDescriptions } from './audit/welcome.audit';
import {
  QueryAnswered,
  QueryFailed,
  UserWelcomed,
  WebhookAccepted,
  WebhookFailed,
  WelcomeBotChosen,
} from './domain/events';
import { webhookDescriptions } from './audit/webhook.audit';
import { BOTS_QUEUE, WEBHOOKS_QUEUE } from './jobs/bot-tasks';
import { readOldestTask } from './jobs/task-rows';
import { readOldestDelivery } from './jobs/webhook/delivery-rows';
import { botMigrations, forgetAhead } from './schema';

export const botsContext = defineContext({
  name: 'bots',
  events: [QueryAnswered, QueryFailed, WebhookAccepted, WebhookFailed, WelcomeBotChosen, UserWelcomed],
  descriptions: [...queryDescriptions, ...webhookDescriptions, ...welcomeDescriptions],
  unhandled: {
    'bots.QueryAnswered': 'it only prevents a second answer',
    'bots.QueryFailed': 'it only prevents a later answer',
    'bots.WebhookAccepted': 'it only prevents another delivery',
    'bots.WebhookFailed': 'it only prevents another delivery',
    'bots.WelcomeBotChosen': 'its account is a system bot like any other',
    'bots.UserWelcomed': 'it only prevents a second welcome',
  },
  migrations: botMigrations,
  queues: [
    { name: BOTS_QUEUE, oldestDue: readOldestTask },
    { name: WEBHOOKS_QUEUE, oldestDue: readOldestDelivery },
  ],
  restored: forgetAhead,
});
