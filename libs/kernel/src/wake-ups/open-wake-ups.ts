import type { Logger } from 'pino';
import { NoTransport } from './no-transport';
import { PostgresTransport } from './postgres-transport';
import { RedisTransport } from './redis-transport';
import { WakeUps } from './wake-ups';

export interface WakeUpsOptions {
  readonly databaseUrl: string;
  /** Wake-ups use Redis if it is set, else PostgreSQL. */
  readonly redisUrl?: string | undefined;
  /** Separates systems that share a Redis. */
  readonly prefix?: string;
  /** Whether there is no other process to wake up, and nothing is sent. */
  readonly isAlone?: boolean;
  readonly log: Logger;
}

/** Wake-ups between the processes of this system. Connects in the background, however long that takes. */
export function openWakeUps({
  databaseUrl,
  redisUrl,
  prefix = 'annals',
  isAlone = false,
  log,
}: WakeUpsOptions): WakeUps {
  if (isAlone) return new WakeUps(new NoTransport(), log);
  const transport = redisUrl
    ? new RedisTransport({ url: redisUrl, prefix, log })
    : new PostgresTransport({ connectionString: databaseUrl, log });
  return new WakeUps(transport, log);
}
