import type { Actor } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import { once } from 'node:events';
import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Redis } from 'ioredis';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

/** A number of requests in a window of seconds. */
export interface Quota {
  readonly points: number;
  readonly duration: number;
}

/** The default rules of contract/conventions.md section 5. */
export const USER_QUOTA: Quota = { points: 200, duration: 60 };
export const ADDRESS_QUOTA: Quota = { points: 100, duration: 60 };

/** Milliseconds after which an unanswered Redis counts as away. */
const REDIS_TIMEOUT = 250;

/** Milliseconds that the start waits for Redis. */
const CONNECT_TIMEOUT = 2_000;

/** @param retryAfter seconds, may be fractional */
export const rateLimitHit = (retryAfter: number) =>
  new Rejected('RATE_LIMIT_HIT', 'API usage exceeded rate limit', { 'retry-after': retryAfter });

/** Makes counters; in Redis where there is one, so that all processes share them, else, and while it is away, here. */
export class Counters implements OnModuleInit, OnModuleDestroy {
  private readonly redis: Redis | undefined;

  /** @param redis a connection to copy; the copy never waits for a Redis that is away */
  constructor(redis?: Redis) {
    this.redis = redis?.duplicate({
      enableOfflineQueue: false,
      maxRetriesPerRequest: 1,
      commandTimeout: REDIS_TIMEOUT,
      connectTimeout: CONNECT_TIMEOUT,
    });
    // Without a listener each failed attempt to reconnect would be printed; the counters here take over meanwhile.
    this.redis?.on('error', () => undefined);
  }

  of(name: string, quota: Quota): RateLimiterAbstract {
    const options = { keyPrefix: `annals:${name}`, ...quota };
    const here = new RateLimiterMemory(options);
    if (!this.redis) return here;
    return new RateLimiterRedis({
      ...options,
      storeClient: this.redis,
      insuranceLimiter: here,
      rejectIfRedisNotReady: true,
    });
  }

  /** Waits until Redis answers, or is known to be away. */
  async onModuleInit(): Promise<void> {
    if (this.redis && this.redis.status !== 'ready') await once(this.redis, 'ready').catch(() => undefined);
  }

  onModuleDestroy(): void {
    this.redis?.disconnect();
  }
}

/** The quotas of callers; every charged answer says in its headers what is left. */
export class RateLimits {
  private readonly users: RateLimiterAbstract;
  private readonly addresses: RateLimiterAbstract;

  /** @param enabled false switches all of it off (`ANNALS_RATE_LIMITS=off`) */
  constructor(
    counters: Counters,
    private readonly enabled: boolean,
  ) {
    this.users = counters.of('user', USER_QUOTA);
    this.addresses = counters.of('address', ADDRESS_QUOTA);
  }

  /** @throws Rejected RATE_LIMIT_HIT */
  async chargeUser({ realmId, userId }: Actor, reply: FastifyReply): Promise<void> {
    if (this.enabled) await charge(this.users, `${realmId}:${userId}`, reply);
  }

  /** For requests without a login. @throws Rejected RATE_LIMIT_HIT */
  async chargeAddress(address: string, reply: FastifyReply): Promise<void> {
    if (this.enabled) await charge(this.addresses, address, reply);
  }
}

async function charge(limiter: RateLimiterAbstract, key: string, reply: FastifyReply): Promise<void> {
  const { spent, isOver } = await consume(limiter, key);
  reply.header('X-RateLimit-Limit', limiter.points);
  reply.header('X-RateLimit-Remaining', Math.max(0, spent.remainingPoints));
  reply.header('X-RateLimit-Reset', Math.ceil((Date.now() + spent.msBeforeNext) / 1000));
  if (isOver) throw rateLimitHit(spent.msBeforeNext / 1000);
}

/** Takes one point; the limiter tells "over the limit" by rejecting with the counts. */
export async function consume(
  limiter: RateLimiterAbstract,
  key: string,
): Promise<{ spent: RateLimiterRes; isOver: boolean }> {
  try {
    return { spent: await limiter.consume(key), isOver: false };
  } catch (error) {
    if (error instanceof RateLimiterRes) return { spent: error, isOver: true };
    throw error;
  }
}
