import { defineContext } from '@annals/kernel';
import { FEED_SCHEMA_SQL } from './schema';

/** Client queues: what clients see of the log, and how far each of them has got. */
export const feedContext = defineContext({
  name: 'feed',
  migrations: [{ name: 'Feed', written: 1795132800002, sql: FEED_SCHEMA_SQL }],
});
