import { lastUsed } from '@annals/kernel';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { consume } from './counters';

/** The quota of a caller after a request. */
export interface QuotaStanding {
  /** Whether this request exceeded the quota. */
  readonly isOver: boolean;
  readonly remaining: number;
  /** Milliseconds since the epoch at which the full quota is available again. */
  readonly resetsAt: number;
}

/** Points that were taken from the store for later requests. */
interface Lease {
  left: number;
  /** The points that the store had left for all processes. */
  readonly inStore: number;
  readonly resetsAt: number;
  readonly isOver: boolean;
}

/** Points taken at once. Near the end of a quota it is one point, so that several processes together keep the limit. */
const LEASE = 10;
const NEAR_END = 50;
/** Most callers that are remembered here. A caller that is dropped loses at most a lease. */
const MAX_CALLERS = 50_000;

/**
 * A quota whose points are taken from the store some at a time, so that most requests cost no round trip. In one
 * process it is exact. Several processes together may hold back a few points of a caller who stops at the limit.
 */
export class LeasedQuota {
  private readonly leases = lastUsed<Lease>(MAX_CALLERS);
  private readonly renewals = new Map<string, Promise<Lease>>();

  constructor(private readonly limiter: RateLimiterAbstract) {}

  get points(): number {
    return this.limiter.points;
  }

  /** Takes one point: at once if it is leased, else after asking the store. */
  take(key: string): QuotaStanding | Promise<QuotaStanding> {
    const lease = this.leases.get(key);
    return lease && lease.left > 0 && lease.resetsAt > Date.now() ? spend(lease) : this.takeFromStore(key);
  }

  private async takeFromStore(key: string): Promise<QuotaStanding> {
    // Requests that arrive together wait for one renewal. Requests for which it is not enough ask again.
    const lease = await (this.renewals.get(key) ?? this.beginRenewal(key));
    if (lease.left > 0) return spend(lease);
    return lease.isOver ? { isOver: true, remaining: 0, resetsAt: lease.resetsAt } : this.takeFromStore(key);
  }

  private beginRenewal(key: string): Promise<Lease> {
    const renewal = this.renew(key).finally(() => this.renewals.delete(key));
    this.renewals.set(key, renewal);
    return renewal;
  }

  private async renew(key: string): Promise<Lease> {
    const before = this.leases.get(key);
    const size = before && before.resetsAt > Date.now() && before.inStore <= NEAR_END ? 1 : LEASE;
    const { spent, isOver } = await consume(this.limiter, key, size);
    // The last lease may be granted in part. A key that the limiter blocks by itself has no count.
    const excess = isOver ? Math.min(size, spent.consumedPoints > 0 ? spent.consumedPoints - this.points : size) : 0;
    const lease = {
      left: size - excess,
      inStore: Math.max(0, spent.remainingPoints),
      resetsAt: Date.now() + spent.msBeforeNext,
      isOver,
    };
    this.leases.set(key, lease);
    return lease;
  }
}

function spend(lease: Lease): QuotaStanding {
  lease.left -= 1;
  return { isOver: false, remaining: lease.inStore + lease.left, resetsAt: lease.resetsAt };
}
