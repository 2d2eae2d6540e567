import { createHash } from 'node:crypto';
import type { RealmId } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import type { Counters, Quota } from './counters';
import { consume } from './counters';
import type { QuotaState } from './rate-limits';
import { rateLimitHit } from './rate-limits';
import type { RequestInfo } from './request';

/** Failed logins for one username (contract/boot.md section 1.4). */
const FAILURES: Quota = { points: 5, duration: 1800 };

type Teller = Pick<RequestInfo, 'tellQuota'>;

/** Stops the guessing of passwords. */
export class LoginAttempts {
  private readonly failures: RateLimiterAbstract;
  /** The last attempt for each username: they run one after another, so that guesses in parallel count too. */
  private readonly waiting = new Map<string, Promise<unknown>>();

  /** @param enabled false switches it off (`ANNALS_RATE_LIMITS=off`) */
  constructor(
    counters: Counters,
    private readonly enabled: boolean,
  ) {
    this.failures = counters.of('login', FAILURES);
  }

  /**
   * Runs one attempt to log in. A refusal by the attempt counts against the username; success and breakdowns do not.
   *
   * @param info of the request; it is told how the username stands, whatever comes of the attempt
   * @throws Rejected RATE_LIMIT_HIT without running the attempt when there were too many failures
   */
  async attempt<T>(realm: RealmId, username: string, info: Teller, login: () => Promise<T>): Promise<T> {
    if (!this.enabled) return login();
    const key = keyOf(realm, username);
    const turn = (this.waiting.get(key) ?? Promise.resolve()).then(() => this.run(key, info, login));
    const settled = turn.then(nothing, nothing);
    this.waiting.set(key, settled);
    try {
      return await turn;
    } finally {
      if (this.waiting.get(key) === settled) this.waiting.delete(key);
    }
  }

  private async run<T>(key: string, info: Teller, login: () => Promise<T>): Promise<T> {
    const spent = await this.failures.get(key);
    info.tellQuota(stateOf(spent));
    if (spent && spent.consumedPoints >= FAILURES.points) throw rateLimitHit(spent.msBeforeNext / 1000);
    try {
      return await login();
    } catch (error) {
      if (error instanceof Rejected) info.tellQuota(stateOf((await consume(this.failures, key)).spent));
      throw error;
    }
  }
}

/** @param spent null before the first failure */
function stateOf(spent: RateLimiterRes | null): QuotaState {
  const { points: limit } = FAILURES;
  if (spent === null) return { limit, remaining: limit, resetsAt: Date.now() };
  return { limit, remaining: Math.max(0, spent.remainingPoints), resetsAt: Date.now() + spent.msBeforeNext };
}

const nothing = () => undefined;

/** Usernames are personal and of any length, so the store gets a digest. */
const keyOf = (realm: RealmId, username: string) =>
  `${realm}:${createHash('sha256').update(username.trim().toLowerCase()).digest('base64url')}`;
