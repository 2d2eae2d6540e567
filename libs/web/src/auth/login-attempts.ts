import { networkOf } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import type { Counters, Quota } from '../limits/counters';
import { consume, personalKey } from '../limits/counters';
import type { QuotaState } from '../limits/rate-limits';
import { RateLimited } from '../limits/rate-limits';
import type { RequestInfo } from '../request';

/** Failed logins for one username (contract/boot.md section 1.4). */
const OF_USERNAME: Quota = { points: 5, duration: 1800 };
/**
 * Failed logins from one address, for any usernames: twenty people behind one proxy may each forget their password
 * before the others are blocked. A blocked username no longer counts against its address.
 */
const OF_ADDRESS: Quota = { points: 100, duration: 1800 };

type QuotaReceiver = Pick<RequestInfo, 'tellQuota' | 'origin'>;
type Counts = (refusal: Rejected) => boolean;

/** Stops the guessing of passwords. */
export class LoginAttempts {
  private readonly usernames: RateLimiterAbstract;
  private readonly addresses: RateLimiterAbstract;
  /** The last attempt for each username. Attempts run one after another, so that parallel guesses count too. */
  private readonly waiting = new Map<string, Promise<unknown>>();

  /** @param enabled false switches it off (`ANNALS_RATE_LIMITS=off`) */
  constructor(
    counters: Counters,
    private readonly enabled: boolean,
  ) {
    this.usernames = counters.of('login', OF_USERNAME);
    this.addresses = counters.of('login-address', OF_ADDRESS);
  }

  /**
   * Runs one attempt to log in with a password. A refusal by the attempt counts against the username and the address.
   * Success and errors do not.
   *
   * @param info of the request. Receives the quota of the username, whatever the result of the attempt is
   * @param counts which refusals are failures, if an attempt can be refused for other reasons
   * @throws Rejected RATE_LIMIT_HIT without running the attempt when there were too many failures
   */
  async attempt<T>(
    realm: RealmId,
    username: string,
    info: QuotaReceiver,
    login: () => Promise<T>,
    counts: Counts = () => true,
  ): Promise<T> {
    if (!this.enabled) return login();
    const key = personalKey(realm, username);
    const run = () => this.run(key, info, login, counts);
    const turn = (this.waiting.get(key) ?? Promise.resolve()).then(run);
    const settled = turn.then(nothing, nothing);
    this.waiting.set(key, settled);
    try {
      return await turn;
    } finally {
      if (this.waiting.get(key) === settled) this.waiting.delete(key);
    }
  }

  private async run<T>(key: string, info: QuotaReceiver, login: () => Promise<T>, counts: Counts): Promise<T> {
    const address = networkOf(info.origin.address ?? '');
    const state = stateOf(OF_USERNAME, await this.usernames.get(key));
    info.tellQuota(state);
    ensureLeft(state);
    const there = stateOf(OF_ADDRESS, await this.addresses.get(address));
    if (there.remaining === 0) info.tellQuota(there);
    ensureLeft(there);
    try {
      return await login();
    } catch (error) {
      if (error instanceof Rejected && counts(error)) {
        info.tellQuota(stateOf(OF_USERNAME, (await consume(this.usernames, key)).spent));
        await consume(this.addresses, address);
      }
      throw error;
    }
  }
}

function ensureLeft(state: QuotaState): void {
  if (state.remaining === 0) throw new RateLimited(state);
}

/** @param spent null before the first failure */
function stateOf({ points: limit }: Quota, spent: RateLimiterRes | null): QuotaState {
  if (spent === null) return { limit, remaining: limit, resetsAt: Date.now() };
  return { limit, remaining: Math.max(0, limit - spent.consumedPoints), resetsAt: Date.now() + spent.msBeforeNext };
}

const nothing = () => undefined;
