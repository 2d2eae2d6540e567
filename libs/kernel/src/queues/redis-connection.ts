import type { RedisOptions } from 'ioredis';
import type { Logger } from 'pino';
import { Redis } from 'ioredis';

/**
 * What a connection is for:
 * - `request`: somebody waits, so a command fails at once while Redis is away;
 * - `worker`: commands wait for Redis for as long as it takes, as BullMQ wants it;
 * - `subscriber`: its owner subscribes again on every `ready`, so it notices each gap.
 */
export type RedisRole = 'request' | 'worker' | 'subscriber';

/** A server that does not answer a request for so long counts as away: the request fails, the connection is replaced. */
const ANSWER_MS = 1_000;
/** The same for a worker, which blocks for up to 10 s by intention. */
const SILENCE_MS = 15_000;
const GOODBYE_MS = 50;
const FIRST_RETRY_MS = 50;
const MAX_RETRY_MS = 1_000;

const BY_ROLE = {
  request: { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: ANSWER_MS, socketTimeout: ANSWER_MS },
  worker: { maxRetriesPerRequest: null, socketTimeout: SILENCE_MS },
  subscriber: { autoResubscribe: false, autoResendUnfulfilledCommands: false, enableOfflineQueue: false },
} satisfies Record<RedisRole, RedisOptions>;

/**
 * A connection that connects by itself and again after every loss, for as long as it is not disconnected. Says in the
 * log when Redis is away and when it is back, once per outage.
 * @param stop when aborted, it and its duplicates give up the first time they cannot connect
 */
export function connectRedis(url: string, role: RedisRole, log: Logger, stop?: AbortSignal): Redis {
  const redis = new Redis(url, {
    ...BY_ROLE[role],
    connectTimeout: ANSWER_MS,
    // ioredis lets this time run to its end, however the connection went.
    disconnectTimeout: GOODBYE_MS,
    retryStrategy: (times) => (stop?.aborted ? null : Math.min(FIRST_RETRY_MS * 2 ** (times - 1), MAX_RETRY_MS)),
  });
  let away = false;
  redis.on('error', (error) => {
    if (!away) log.warn({ err: error, role }, 'Redis is away');
    away = true;
  });
  redis.on('ready', () => {
    if (away) log.info({ role }, 'Redis is back');
    away = false;
  });
  return redis;
}
