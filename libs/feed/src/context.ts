import { defineContext } from '@annals/kernel';
import { endingsFeed } from './feed/endings.feed';
import { feedMigrations } from './schema';

/** Client queues: what clients see of the log, and how far each of them has got. It stands after all other contexts. */
export const feedContext = defineContext({ name: 'feed', feeds: [endingsFeed], migrations: feedMigrations });
