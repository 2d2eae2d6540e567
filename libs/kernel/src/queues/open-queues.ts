import type { QueuesOptions } from './queues';
import { PostgresStore } from './postgres-store';
import { Queues } from './queues';
import { RedisStore } from './redis-store';

export interface OpenQueuesOptions extends QueuesOptions {
  readonly databaseUrl: string;
  /** Jobs are stored in Redis if it is set, else in PostgreSQL. */
  readonly redisUrl?: string | undefined;
  /** Separates systems that share a Redis. */
  readonly prefix?: string;
}

/**
 * @throws Error when the jobs are stored in PostgreSQL and it cannot be reached. Redis is connected in the background
 */
export async function openQueues(options: OpenQueuesOptions): Promise<Queues> {
  const { databaseUrl, redisUrl, prefix = 'annals', log } = options;
  const store = redisUrl
    ? new RedisStore({ url: redisUrl, prefix, log })
    : await PostgresStore.open({ connectionString: databaseUrl, log });
  return new Queues(store, options);
}
