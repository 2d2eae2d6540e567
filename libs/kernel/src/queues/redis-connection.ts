import type { RedisOptions } from 'ioredis';
import type { Logger } from 'pino';
import { Redis } from 'ioredis';

/**
 * The purpose of a connection:
 *
 * - `request`: a caller waits, so a command fails at once while Redis is unavailable.
 * - `worker`: commands wait for Redis for as long as it takes, as BullMQ requires.
 * - `subscriber`: its owner subscribes again on every `ready`, so it notices each gap.
 */
export type RedisRole = 'request' | 'worker' | 'subscriber';

/**
 * A server that does not answer a request for so long counts as unavailable: the request fails, and the connection is
 * replaced.
 */
const ANSWER_MS = 1_000;
/** The same for a worker, which blocks for up to 10 s on purpose. */
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
 * A connection that connects by itself and again after every loss, until it is disconnected. Logs once per outage that
 * Redis is unavailable and when it is back.
 *
 * @param stop when aborted, it and its duplicates end the first time that they cannot connect
 */
export function connectRedis(url: string, role: RedisRole, log: Logger, stop?: AbortSignal): Redis {
  const redis = new Redis(url, {
    ...BY_ROLE[role],
    connectTimeout: ANSWER_MS,
    // ioredis waits for this time in full, whatever happened to the connection.
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
