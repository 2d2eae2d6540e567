import { defineContext, oldestBehind } from '@annals/kernel';
import { organizationFeed, terminationsFeed } from './feed/terminations.feed';
import { newestQueuePosition } from './queues/known';
import { dropQueues } from './queues/restored';
import { feedMigrations } from './schema';
import { CLIENT_EVENTS } from './translation/client-events-reader';
import { TRANSLATION_QUEUE } from './translation/translation';

/**
 * Client queues: what clients see of the log, and how far each of them has read. This context comes after all others.
 */
export const feedContext = defineContext({
  name: 'feed',
  feeds: [terminationsFeed, organizationFeed],
  migrations: feedMigrations,
  queues: [{ name: TRANSLATION_QUEUE, oldestDue: (pool) => oldestBehind(pool, CLIENT_EVENTS) }],
  restored: dropQueues,
  known: newestQueuePosition,
  transient: ['client_queues', 'client_events', 'client_event_horizons'],
});
