import { Authenticator, lastUsed } from '@annals/kernel';
import { createHash } from 'node:crypto';
import type { Actor } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Credentials } from '@annals/kernel';
import type { Counters, Quota } from './counters';
import { consume } from './counters';
import { networkOf } from './network';
import { RateLimited } from './rate-limits';

/**
 * Wrong keys for one account from one address. Nobody is kept out by what others do elsewhere with the account's name,
 * which everybody knows, and a program with a key of yesterday keeps no other account behind its proxy out.
 */
const WRONG_KEYS: Quota = { points: 20, duration: 60 };
/** Guessers remembered here; whoever is forgotten is stopped again by their next wrong key. */
const MAX_STOPPED = 50_000;

/** Stops the guessing of keys: who gave too many wrong ones is refused for a while without a look at the next. */
export class KeyAttempts extends Authenticator {
  private readonly wrong: RateLimiterAbstract;
  /** Until when, in milliseconds since the epoch. Only a wrong key asks the store, so that right ones cost nothing. */
  private readonly stopped = lastUsed<number>(MAX_STOPPED);

  /** @param enabled false switches it off (`ANNALS_RATE_LIMITS=off`) */
  constructor(
    private readonly authenticator: Authenticator,
    counters: Counters,
    private readonly enabled: boolean,
  ) {
    super();
    this.wrong = counters.of('wrong-key', WRONG_KEYS);
  }

  /** @throws Rejected what the authenticator refuses with, and RATE_LIMIT_HIT */
  override async authenticate(credentials: Credentials): Promise<Actor> {
    if (!this.enabled) return this.authenticator.authenticate(credentials);
    this.ensureNotStopped(credentials);
    try {
      return await this.authenticator.authenticate(credentials);
    } catch (error) {
      if (error instanceof Rejected && error.code === 'INVALID_API_KEY') await this.count(credentials);
      throw error;
    }
  }

  private ensureNotStopped(credentials: Credentials): void {
    if (this.stopped.size === 0) return;
    const resetsAt = this.stopped.get(guesser(credentials));
    if (resetsAt === undefined || resetsAt <= Date.now()) return;
    throw new RateLimited({ limit: WRONG_KEYS.points, remaining: 0, resetsAt });
  }

  private async count(credentials: Credentials): Promise<void> {
    const key = guesser(credentials);
    const { spent } = await consume(this.wrong, key);
    if (spent.remainingPoints <= 0) this.stopped.set(key, Date.now() + spent.msBeforeNext);
  }
}

/** Names and addresses are personal and of any length, so the store gets a digest. */
function guesser({ host, username, origin }: Credentials): string {
  const who = [host, username.trim().toLowerCase(), networkOf(origin.address ?? '')].join('\n');
  return createHash('sha256').update(who).digest('base64url');
}
