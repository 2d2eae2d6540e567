import { lastUsed } from '@annals/kernel';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { consume } from './counters';

/** How a caller stands after a request. */
export interface Standing {
  /** Whether this request was one too many. */
  readonly isOver: boolean;
  readonly remaining: number;
  /** Milliseconds since the epoch at which the full quota is back. */
  readonly resetsAt: number;
}

/** Points that were taken from the store for requests to come. */
interface Lease {
  left: number;
  /** What the store had left for everybody. */
  readonly inStore: number;
  readonly resetsAt: number;
  readonly isOver: boolean;
}

/** Points taken at once; near the end of a quota single ones, so that several processes together keep to it. */
const LEASE = 10;
const NEAR_END = 50;
/** Callers remembered here; whoever is forgotten loses at most a lease. */
const MAX_CALLERS = 50_000;

/**
 * A quota whose points are taken from the store some at a time: most requests then cost no round trip. In one process
 * it is exact; several processes may between them hold back a few points of a caller who stops at the limit.
 */
export class LeasedQuota {
  private readonly leases = lastUsed<Lease>(MAX_CALLERS);
  private readonly renewals = new Map<string, Promise<Lease>>();

  constructor(private readonly limiter: RateLimiterAbstract) {}

  get points(): number {
    return this.limiter.points;
  }

  /** Takes one point: at once when it is leased, else after asking the store. */
  take(key: string): Standing | Promise<Standing> {
    const lease = this.leases.get(key);
    return lease && lease.left > 0 && lease.resetsAt > Date.now() ? spend(lease) : this.takeFromStore(key);
  }

  private async takeFromStore(key: string): Promise<Standing> {
    // Requests that come together wait for one renewal; those it does not suffice for ask again.
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
    // The last lease may be granted in part. A key that the limiter blocks by itself comes without a count.
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

function spend(lease: Lease): Standing {
  lease.left -= 1;
  return { isOver: false, remaining: lease.inStore + lease.left, resetsAt: lease.resetsAt };
}
