import { createHash } from 'node:crypto';
import type { RealmId } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Counters, Quota } from './counters';
import { consume } from './counters';
import { rateLimitHit } from './rate-limits';

/** Failed logins for one username (contract/boot.md section 1.4). */
const FAILURES: Quota = { points: 5, duration: 1800 };

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
   * @throws Rejected RATE_LIMIT_HIT without running the attempt when there were too many failures
   */
  async attempt<T>(realm: RealmId, username: string, login: () => Promise<T>): Promise<T> {
    if (!this.enabled) return login();
    const key = keyOf(realm, username);
    const turn = (this.waiting.get(key) ?? Promise.resolve()).then(() => this.run(key, login));
    const settled = turn.then(nothing, nothing);
    this.waiting.set(key, settled);
    try {
      return await turn;
    } finally {
      if (this.waiting.get(key) === settled) this.waiting.delete(key);
    }
  }

  private async run<T>(key: string, login: () => Promise<T>): Promise<T> {
    const spent = await this.failures.get(key);
    if (spent && spent.consumedPoints >= FAILURES.points) throw rateLimitHit(spent.msBeforeNext / 1000);
    try {
      return await login();
    } catch (error) {
      if (error instanceof Rejected) await consume(this.failures, key);
      throw error;
    }
  }
}

const nothing = () => undefined;

/** Usernames are personal and of any length, so the store gets a digest. */
const keyOf = (realm: RealmId, username: string) =>
  `${realm}:${createHash('sha256').update(username.trim().toLowerCase()).digest('base64url')}`;
