import { defineContext } from '@annals/kernel';
import { endingsFeed } from './feed/endings.feed';
import { dropQueues } from './queues/restored';
import { feedMigrations } from './schema';
import { QUEUE } from './translation/translation';

/** Client queues: what clients see of the log, and how far each of them has got. It stands after all other contexts. */
export const feedContext = defineContext({
  name: 'feed',
  feeds: [endingsFeed],
  migrations: feedMigrations,
  queues: [QUEUE],
  restored: dropQueues,
});
