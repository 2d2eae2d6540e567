import { Authenticator, lastUsed, networkOf } from '@annals/kernel';
import { createHash } from 'node:crypto';
import type { Actor } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Credentials, NamedAccount, PresentedKey, PresentedSession } from '@annals/kernel';
import type { Counters, Quota } from '../limits/counters';
import { consume } from '../limits/counters';
import { RateLimited } from '../limits/rate-limits';

/**
 * Wrong keys for one account from one address. Attempts from elsewhere, with a name that everybody knows, do not block
 * the account's owner. A program with an old key blocks no other account behind its proxy.
 */
const WRONG_KEYS: Quota = { points: 20, duration: 60 };
/** Most blocked callers that are remembered here. Others are blocked again by their next wrong key. */
const MAX_STOPPED = 50_000;

/** Stops the guessing of keys: after too many wrong keys the next ones are refused for a while without a check. */
export class KeyAttempts extends Authenticator {
  private readonly wrong: RateLimiterAbstract;
  /**
   * The end of the block, in milliseconds since the epoch. Only a wrong key asks the store, so right ones cost nothing.
   */
  private readonly stopped = lastUsed<number>(MAX_STOPPED);
  /** The addresses of blocked callers. The account of a request from another address need not be found. */
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

  /** @throws Rejected the refusal of the authenticator, and RATE_LIMIT_HIT */
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

  /** Guessing a key without a name is limited by the quota of the address only. */
  override authenticateKey(presented: PresentedKey): Promise<Actor> {
    return this.authenticator.authenticateKey(presented);
  }

  /** The cookie of a session is too long to be guessed. */
  override authenticateSession(presented: PresentedSession): Promise<Actor | null> {
    return this.authenticator.authenticateSession(presented);
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
   * An account has many names: several hosts, letter case, its placeholder email. Names and addresses are personal and
   * of any length, so the store gets a digest.
   */
  private async guesser(credentials: Credentials): Promise<string> {
    const { realmId, userId } = await this.authenticator.accountNamed(credentials);
    const name = userId === null ? credentials.username.trim().toLowerCase() : `account ${userId}`;
    const who = [realmId, name, networkOfGuesser(credentials)].join('\n');
    return createHash('sha256').update(who).digest('base64url');
  }
}

const networkOfGuesser = ({ origin }: Credentials): string => networkOf(origin.address ?? '');
