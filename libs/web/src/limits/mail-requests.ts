import { networkOf } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { RequestInfo } from '../request';
import type { Counters, Quota } from './counters';
import { consume, personalKey } from './counters';
import { RateLimited } from './rate-limits';

/** Mails that visitors make the server send to one address. */
const TO_ADDRESS: Quota = { points: 5, duration: 3600 };
/** Those that one network asks for, to any addresses. */
const OF_NETWORK: Quota = { points: 50, duration: 3600 };

/** Limits the mails that anybody can ask for, such as a link to choose another password. The limits do not say whether there is an account. */
export class MailRequests {
  private readonly addresses: RateLimiterAbstract;
  private readonly networks: RateLimiterAbstract;

  /** @param enabled false switches it off (`ANNALS_RATE_LIMITS=off`) */
  constructor(
    counters: Counters,
    private readonly enabled: boolean,
  ) {
    this.addresses = counters.of('mail-to', TO_ADDRESS);
    this.networks = counters.of('mail-from-network', OF_NETWORK);
  }

  /** @throws Rejected RATE_LIMIT_HIT */
  async charge(realm: RealmId, email: string, info: Pick<RequestInfo, 'tellQuota' | 'origin'>): Promise<void> {
    if (!this.enabled) return;
    await this.take(this.networks, networkOf(info.origin.address ?? ''), OF_NETWORK, info);
    await this.take(this.addresses, personalKey(realm, email), TO_ADDRESS, info);
  }

  private async take(
    limiter: RateLimiterAbstract,
    key: string,
    { points: limit }: Quota,
    info: Pick<RequestInfo, 'tellQuota'>,
  ): Promise<void> {
    const { spent, isOver } = await consume(limiter, key);
    const state = { limit, remaining: Math.max(0, spent.remainingPoints), resetsAt: Date.now() + spent.msBeforeNext };
    info.tellQuota(state);
    if (isOver) throw new RateLimited(state);
  }
}
