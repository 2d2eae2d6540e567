import type { Logger } from 'pino';
import { PostgresTransport } from './postgres-transport';
import { RedisTransport } from './redis-transport';
import { WakeUps } from './wake-ups';

export interface WakeUpsOptions {
  readonly databaseUrl: string;
  /** Wake-ups go through Redis when it is set, else through PostgreSQL. */
  readonly redisUrl?: string | undefined;
  /** Keeps systems apart that share a Redis. */
  readonly prefix?: string;
  readonly log: Logger;
}

/** Wake-ups between the processes of this system; connects in the background, however long that takes. */
export function openWakeUps({ databaseUrl, redisUrl, prefix = 'annals', log }: WakeUpsOptions): WakeUps {
  const transport = redisUrl
    ? new RedisTransport({ url: redisUrl, prefix, log })
    : new PostgresTransport({ connectionString: databaseUrl, log });
  return new WakeUps(transport, log);
}
