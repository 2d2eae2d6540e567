import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import type { RealmId } from '@annals/kernel/domain';
import { Redis } from 'ioredis';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

/** A number of points in a window of seconds. */
export interface Quota {
  readonly points: number;
  readonly duration: number;
}

/** Milliseconds after which Redis counts as unavailable without an answer. */
const REDIS_TIMEOUT = 250;
/** Milliseconds that the start waits for Redis. */
const CONNECT_TIMEOUT = 2_000;

/** The store that processes share for their counters. */
export interface CountersRedis {
  readonly url: string;
  /** Separates installations that share a Redis. */
  readonly prefix: string;
}

/**
 * Creates counters. With Redis all processes share them. Without it, and while it is unavailable, they are in this
 * process.
 */
export class Counters implements OnModuleInit, OnModuleDestroy {
  private readonly redis?: Redis;

  constructor(private readonly where?: CountersRedis) {
    if (where === undefined) return;
    this.redis = new Redis(where.url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 1,
      commandTimeout: REDIS_TIMEOUT,
      connectTimeout: CONNECT_TIMEOUT,
      disconnectTimeout: REDIS_TIMEOUT,
    });
    // Without a listener each failed attempt to reconnect would be printed. The local counters are used meanwhile.
    this.redis.on('error', () => undefined);
  }

  /** @param isGivenBack whether points may be given back before the window ends */
  of(name: string, quota: Quota, isGivenBack = false): RateLimiterAbstract {
    const options = { keyPrefix: `${this.where?.prefix ?? ''}:${name}`, ...quota };
    const here = new RateLimiterMemory(options);
    if (!this.redis) return here;
    return new RateLimiterRedis({
      ...options,
      storeClient: this.redis,
      insuranceLimiter: here,
      rejectIfRedisNotReady: true,
      // A caller over the limit is refused here, without another request to Redis until the window ends. That counts nothing, so it
      // would be wrong after another process has given points back.
      ...(isGivenBack ? {} : { inMemoryBlockOnConsumed: quota.points }),
    });
  }

  /** Waits until Redis answers, or is known to be unavailable. */
  async onModuleInit(): Promise<void> {
    if (this.redis && this.redis.status !== 'ready') await once(this.redis, 'ready').catch(() => undefined);
  }

  async onModuleDestroy(): Promise<void> {
    await this.redis?.quit().catch(() => this.redis?.disconnect());
  }
}

/** Takes points. The library rejects with the counts if the limit is exceeded. */
export async function consume(
  limiter: RateLimiterAbstract,
  key: string,
  points = 1,
): Promise<{ spent: RateLimiterRes; isOver: boolean }> {
  try {
    return { spent: await limiter.consume(key, points), isOver: false };
  } catch (error) {
    if (error instanceof RateLimiterRes) return { spent: error, isOver: true };
    throw error;
  }
}

/** Names and addresses are personal and of any length, so the store gets a digest. Letter case does not count. */
export const personalKey = (realm: RealmId, name: string): string =>
  `${realm}:${createHash('sha256').update(name.trim().toLowerCase()).digest('base64url')}`;
