import { defineContext } from '@annals/kernel';
import { queryDescriptions } from './audit/query.audit';
import { welcomeDescriptions } from './audit/welcome.audit';
import { QueryAnswered, QueryFailed, UserWelcomed, WelcomeBotChosen } from './domain/events';
import { BOTS_QUEUE } from './jobs/bot-tasks';
import { readOldestTask } from './jobs/task-rows';
import { botMigrations, forgetAhead } from './schema';

export const botsContext = defineContext({
  name: 'bots',
  events: [QueryAnswered, QueryFailed, WelcomeBotChosen, UserWelcomed],
  descriptions: [...queryDescriptions, ...welcomeDescriptions],
  unhandled: {
    'bots.QueryAnswered': 'it only prevents a second answer',
    'bots.QueryFailed': 'it only prevents a later answer',
    'bots.WelcomeBotChosen': 'its account is a system bot like any other',
    'bots.UserWelcomed': 'it only prevents a second welcome',
  },
  migrations: botMigrations,
  queues: [{ name: BOTS_QUEUE, oldestDue: readOldestTask }],
  restored: forgetAhead,
});
