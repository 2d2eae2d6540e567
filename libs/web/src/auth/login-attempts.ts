import { networkOf } from '@annals/kernel';
import { createHash } from 'node:crypto';
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
 * before the others are blocked. A blocked username no longer counts against its address, and neither does somebody who then knows the
 * password.
 */
const OF_ADDRESS: Quota = { points: 100, duration: 1800 };

/** Logins with one name or one token, right or wrong: each right one issues a key or begins a session. */
const OF_LOGINS: Quota = { points: 30, duration: 60 };

/** The attempts from one address that run, and those that wait until one of them has ended. */
interface UnderWay {
  count: number;
  readonly waiting: (() => void)[];
}

type QuotaReceiver = Pick<RequestInfo, 'tellQuota' | 'origin'>;

interface Attempt<T> {
  /** Of the username. */
  readonly key: string;
  readonly address: string;
  readonly info: QuotaReceiver;
  readonly login: () => Promise<T>;
  readonly rules: AttemptRules<T>;
}

/** How the result of an attempt counts. */
export interface AttemptRules<T> {
  /** Which refusals are failures. All by default. */
  readonly isFailure?: (refusal: Rejected) => boolean;
  /** Whether somebody is logged in with this result. Always by default. */
  readonly isComplete?: (result: T) => boolean;
}

/** Stops the guessing of passwords. */
export class LoginAttempts {
  private readonly usernames: RateLimiterAbstract;
  private readonly addresses: RateLimiterAbstract;
  private readonly logins: RateLimiterAbstract;
  /** Failures for a username from an address, as long as no success has followed. */
  private readonly slips: RateLimiterAbstract;
  /** The last attempt for each username. Attempts run one after another, so that parallel guesses count too. */
  private readonly waiting = new Map<string, Promise<unknown>>();
  private readonly underWay = new Map<string, UnderWay>();

  /** @param enabled false switches it off (`ANNALS_RATE_LIMITS=off`) */
  constructor(
    counters: Counters,
    private readonly enabled: boolean,
  ) {
    this.usernames = counters.of('login', OF_USERNAME);
    this.addresses = counters.of('login-address', OF_ADDRESS, true);
    this.logins = counters.of('logins', OF_LOGINS);
    this.slips = counters.of('login-slips', OF_USERNAME, true);
  }

  /**
   * Runs one attempt to log in with a password. A refusal by the attempt counts against the username and the address.
   * Success and errors do not. After a complete login, what failed before it no longer counts against the address.
   *
   * @param info of the request. Receives the quota of the username, whatever the result of the attempt is
   * @throws Rejected RATE_LIMIT_HIT without running the attempt when there were too many failures
   */
  async attempt<T>(
    realm: RealmId,
    username: string,
    info: QuotaReceiver,
    login: () => Promise<T>,
    rules: AttemptRules<T> = {},
  ): Promise<T> {
    if (!this.enabled) return login();
    const address = networkOf(info.origin.address ?? '');
    // Before the turn of the username, so that others with that username wait for no place of this address.
    const leave = await this.enter(address, info);
    try {
      const key = personalKey(realm, username);
      return await this.inTurn(key, () => this.run({ key, address, info, login, rules }));
    } finally {
      leave();
    }
  }

  /**
   * Counts a login by other means than a password, such as a token that is of use more than once.
   *
   * @param token what is the same each time, however the rest is written
   * @throws Rejected RATE_LIMIT_HIT when there were too many with this one
   */
  async countLogin(realm: RealmId, token: string, info: QuotaReceiver): Promise<void> {
    if (this.enabled) await this.count(createHash('sha256').update(`${realm} ${token}`).digest('base64url'), info);
  }

  private async inTurn<T>(key: string, run: () => Promise<T>): Promise<T> {
    const turn = (this.waiting.get(key) ?? Promise.resolve()).then(run);
    const settled = turn.then(nothing, nothing);
    this.waiting.set(key, settled);
    try {
      return await turn;
    } finally {
      if (this.waiting.get(key) === settled) this.waiting.delete(key);
    }
  }

  private async run<T>({ key, address, info, login, rules }: Attempt<T>): Promise<T> {
    const { isFailure = always, isComplete = always } = rules;
    const state = stateOf(OF_USERNAME, await this.usernames.get(key));
    info.tellQuota(state);
    ensureLeft(state);
    await this.count(key, info);
    try {
      const result = await login();
      if (isComplete(result)) await this.forgive(`${key}:${address}`, address);
      return result;
    } catch (error) {
      if (error instanceof Rejected && isFailure(error)) {
        info.tellQuota(stateOf(OF_USERNAME, (await consume(this.usernames, key)).spent));
        await consume(this.addresses, address);
        await consume(this.slips, `${key}:${address}`);
      }
      throw error;
    }
  }

  /** Who logs in after all has guessed nothing, so that an office where many mistype their password is not blocked. */
  private async forgive(slip: string, address: string): Promise<void> {
    const { consumedPoints = 0 } = (await this.slips.get(slip)) ?? {};
    if (consumedPoints === 0) return;
    await this.slips.delete(slip);
    // The window of the address may have ended before that of the failures.
    const spent = (await this.addresses.get(address))?.consumedPoints ?? 0;
    if (spent > 0) await this.addresses.reward(address, Math.min(spent, consumedPoints));
  }

  private async count(key: string, info: QuotaReceiver): Promise<void> {
    const { spent, isOver } = await consume(this.logins, key);
    if (!isOver) return;
    const state = { ...stateOf(OF_LOGINS, spent), remaining: 0 };
    info.tellQuota(state);
    throw new RateLimited(state);
  }

  /**
   * Waits while the attempts that run could use up what their address has left if all of them failed. So any number of right passwords
   * may arrive at once, and no more wrong ones than the quota.
   *
   * @returns what ends the attempt
   */
  private async enter(address: string, info: QuotaReceiver): Promise<() => void> {
    for (;;) {
      const there = stateOf(OF_ADDRESS, await this.addresses.get(address));
      const attempts = this.underWay.get(address) ?? { count: 0, waiting: [] };
      this.underWay.set(address, attempts);
      if (there.remaining === 0) {
        this.wakeOne(address, attempts);
        info.tellQuota(there);
        throw new RateLimited(there);
      }
      if (attempts.count < there.remaining) {
        attempts.count += 1;
        return () => {
          attempts.count -= 1;
          this.wakeOne(address, attempts);
        };
      }
      await new Promise<void>((resolve) => attempts.waiting.push(resolve));
    }
  }

  /** Each attempt that ends lets one look again. Who may not begin waits for the next one. */
  private wakeOne(address: string, { count, waiting }: UnderWay): void {
    const next = waiting.shift();
    if (next) next();
    else if (count === 0) this.underWay.delete(address);
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
const always = () => true;
