import { Authenticator, lastUsed } from '@annals/kernel';
import { createHash } from 'node:crypto';
import type { Actor } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Credentials, NamedAccount } from '@annals/kernel';
import type { Counters, Quota } from '../limits/counters';
import { consume } from '../limits/counters';
import { networkOf } from '../network';
import { RateLimited } from '../limits/rate-limits';

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
  /** From where they guess: whoever comes from elsewhere is not even asked who they are. */
  private readonly networks = lastUsed<number>(MAX_STOPPED);

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
    await this.ensureNotStopped(credentials);
    try {
      return await this.authenticator.authenticate(credentials);
    } catch (error) {
      if (error instanceof Rejected && error.code === 'INVALID_API_KEY') await this.count(credentials);
      throw error;
    }
  }

  override accountNamed(credentials: Credentials): Promise<NamedAccount> {
    return this.authenticator.accountNamed(credentials);
  }

  private async ensureNotStopped(credentials: Credentials): Promise<void> {
    const now = Date.now();
    if (this.networks.size === 0 || !((this.networks.get(networkOfGuesser(credentials)) ?? 0) > now)) return;
    const resetsAt = this.stopped.get(await this.guesser(credentials));
    if (resetsAt === undefined || resetsAt <= now) return;
    throw new RateLimited({ limit: WRONG_KEYS.points, remaining: 0, resetsAt });
  }

  private async count(credentials: Credentials): Promise<void> {
    const key = await this.guesser(credentials);
    const { spent } = await consume(this.wrong, key);
    if (spent.remainingPoints > 0) return;
    const resetsAt = Date.now() + spent.msBeforeNext;
    this.stopped.set(key, resetsAt);
    this.networks.set(networkOfGuesser(credentials), resetsAt);
  }

  /**
   * An account of an organization has many names: hosts that lead there, letter case, its placeholder. Names and addresses
   * are personal and of any length, so the store gets a digest.
   */
  private async guesser(credentials: Credentials): Promise<string> {
    const { realmId, userId } = await this.authenticator.accountNamed(credentials);
    const name = userId === null ? credentials.username.trim().toLowerCase() : `account ${userId}`;
    const who = [realmId, name, networkOfGuesser(credentials)].join('\n');
    return createHash('sha256').update(who).digest('base64url');
  }
}

const networkOfGuesser = ({ origin }: Credentials): string => networkOf(origin.address ?? '');
