import type { TokenBearer } from '@annals/kernel';
import { networkOf } from '@annals/kernel';
import type { Actor, RealmId } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import type { FastifyReply } from 'fastify';
import type { Counters, Quota } from './counters';
import type { QuotaStanding } from './leased-quota';
import { LeasedQuota } from './leased-quota';

/** The default rules of contract/conventions.md section 5. */
const USER_QUOTA: Quota = { points: 200, duration: 60 };
const ADDRESS_QUOTA: Quota = { points: 100, duration: 60 };
/** A thousand people behind one address log in within a minute, and each needs some pages for it. */
const VISIT_QUOTA: Quota = { points: 6_000, duration: 60 };
/** Their clients show pictures of each other then. */
const FILE_QUOTA: Quota = { points: 60_000, duration: 60 };
/** A directory sends ten thousand people at once, and no person sends requests with its token. */
const TOKEN_QUOTA: Quota = { points: 30_000, duration: 60 };

/**
 * Which quota of its address a request without a login counts against. `visits`: what everybody asks who logs in. `files`: pictures, and
 * files by addresses that nobody can guess. Left out: the one of requests that need a key.
 */
export type AddressQuota = 'visits' | 'files';

/** RATE_LIMIT_HIT, with the state of a limit. */
export class RateLimited extends Rejected {
  constructor(readonly state: QuotaState) {
    // Seconds, which may be fractional.
    const retryAfter = Math.max(0, state.resetsAt - Date.now()) / 1000;
    const shown = { name: 'tooManyAttempts', values: {} } as const;
    super('RATE_LIMIT_HIT', 'API usage exceeded rate limit', { 'retry-after': retryAfter }, { shown });
  }
}

/** The quotas of callers. The headers of every charged answer contain what is left. */
export class RateLimits {
  private readonly users: LeasedQuota;
  private readonly addresses: Readonly<Record<AddressQuota | 'requests', LeasedQuota>>;
  private readonly tokens: LeasedQuota;
  /** By the number of requests in a minute. */
  private readonly realms = new Map<number, LeasedQuota>();

  /** @param enabled false switches all of it off (`ANNALS_RATE_LIMITS=off`) */
  constructor(
    private readonly counters: Counters,
    private readonly enabled: boolean,
  ) {
    this.users = new LeasedQuota(counters.of('user', USER_QUOTA));
    this.addresses = {
      requests: new LeasedQuota(counters.of('address', ADDRESS_QUOTA)),
      visits: new LeasedQuota(counters.of('visits', VISIT_QUOTA)),
      files: new LeasedQuota(counters.of('files', FILE_QUOTA)),
    };
    this.tokens = new LeasedQuota(counters.of('token', TOKEN_QUOTA));
  }

  /** @throws Rejected RATE_LIMIT_HIT */
  async chargeUser({ realmId, userId }: Actor, reply: FastifyReply): Promise<void> {
    if (this.enabled) await charge(this.users, `${realmId}:${userId}`, reply);
  }

  /** For programs with a token of the organization. @throws Rejected RATE_LIMIT_HIT */
  async chargeToken({ realmId, tokenId }: TokenBearer, reply: FastifyReply): Promise<void> {
    if (this.enabled) await charge(this.tokens, `${realmId}:${tokenId}`, reply);
  }

  /** For an organization whose requests the operator limits. @throws Rejected RATE_LIMIT_HIT */
  async chargeRealm(realmId: RealmId, points: number, reply: FastifyReply): Promise<void> {
    if (!this.enabled) return;
    const quota = this.realms.get(points) ?? new LeasedQuota(this.counters.of('realm', { points, duration: 60 }));
    this.realms.set(points, quota);
    await charge(quota, String(realmId), reply);
  }

  /** For requests without a login. @throws Rejected RATE_LIMIT_HIT */
  async chargeAddress(
    address: string,
    reply: FastifyReply,
    quota: AddressQuota | 'requests' = 'requests',
  ): Promise<void> {
    if (this.enabled) await charge(this.addresses[quota], networkOf(address), reply);
  }
}

/** The state of one of the limits that apply to a request. */
export interface QuotaState {
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds since the epoch at which the full quota is available again. */
  readonly resetsAt: number;
}

/** Writes a limit to the headers of an answer. With several limits, each header has the strictest (contract/boot.md section 1.4). */
export function sendQuota(reply: FastifyReply, { limit, remaining, resetsAt }: QuotaState): void {
  const present = (name: string) => Number(reply.getHeader(name) ?? NaN);
  const strictest = (pick: (...values: number[]) => number, name: string, value: number) =>
    reply.header(name, Number.isNaN(present(name)) ? value : pick(present(name), value));
  strictest(Math.min, 'X-RateLimit-Limit', limit);
  strictest(Math.min, 'X-RateLimit-Remaining', remaining);
  strictest(Math.max, 'X-RateLimit-Reset', Math.ceil(resetsAt / 1000));
}

async function charge(quota: LeasedQuota, key: string, reply: FastifyReply): Promise<void> {
  const { isOver, remaining, resetsAt }: QuotaStanding = await quota.take(key);
  const state = { limit: quota.points, remaining, resetsAt };
  sendQuota(reply, state);
  if (isOver) throw new RateLimited(state);
}
