import { hash, timingSafeEqual } from 'node:crypto';
import type { Work } from '@annals/kernel';
import { Kernel, LEGIBLE, randomText, readSecret, systemActor } from '@annals/kernel';
import type { RealmId, UserId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { reject } from '../../domain/rejections';
import {
  RECOVERY_CODES,
  endTwoFactors,
  spendRecoveryCode,
  twoFactorsAggregate,
} from '../../domain/sign-in/two-factors';
import { APP_CODE, stepOf } from './authenticator-app';

const DIGEST_BYTES = 32;

/** Codes that may be tried for an account in a window (ms). With a million codes, a guesser needs years. */
const MAX_GUESSES = 10;
const WINDOW_MS = 30 * 60_000;

export const appSecret = (userId: UserId): string => `totp-${userId}`;
export const recoverySecret = (userId: UserId): string => `recovery-${userId}`;
/** The number of codes that were tried, beside the log, so that all processes count together. */
export const guessesSecret = (userId: UserId): string => `code-guesses-${userId}`;

/** One attempt to log in. A code of an app is used once, also when the unit of work of the login runs again. */
export interface CodeAttempt {
  readonly code: string;
  isCounted?: boolean;
  isAccepted?: boolean;
}

/** The second factor of logins with a password: codes of an app, and recovery codes. */
@Injectable()
export class SecondFactors {
  constructor(private readonly kernel: Kernel) {}

  /** Whether logins with the password of the account need a code. The append depends on it. */
  async areOn(work: Work, userId: UserId): Promise<boolean> {
    return (await work.read(twoFactorsAggregate, userId)).isOn;
  }

  /** How many recovery codes an account has left. Null where no code is needed. */
  async recoveryCodesOf(realmId: RealmId, userId: UserId): Promise<number | null> {
    const { isOn, recoveryCodes } = await this.kernel.work.run(systemActor(realmId), (work) =>
      work.peek(twoFactorsAggregate, userId),
    );
    return isOn ? recoveryCodes : null;
  }

  /**
   * Whether the code is one of the account's. It is of no use again.
   *
   * @throws Rejected RATE_LIMIT_HIT when too many codes were tried for the account, in all processes together
   */
  async accept(work: Work, userId: UserId, attempt: CodeAttempt): Promise<boolean> {
    if (!attempt.isCounted) await this.countGuess(work.realmId, userId);
    attempt.isCounted = true;
    const code = attempt.code.replace(/[\s-]/g, '').toLowerCase();
    const isRight = APP_CODE.test(code)
      ? (attempt.isAccepted ??= await this.spendStep(work.realmId, userId, code))
      : await this.spendRecovery(work, userId, code);
    if (isRight) work.secret({ drop: guessesSecret(userId) });
    return isRight;
  }

  /** Logins with the password of the account need no code any more. @throws Rejected where none was needed */
  async end(work: Work, userId: UserId): Promise<void> {
    await work.decide(twoFactorsAggregate, userId, (state) => endTwoFactors(state, userId));
    work.secret({ drop: appSecret(userId) });
    work.secret({ drop: recoverySecret(userId) });
    work.secret({ drop: guessesSecret(userId) });
  }

  /** Ten new recovery codes, in the form that people write down, and the secret that stores their digests. */
  newRecoveryCodes(userId: UserId) {
    const codes = Array.from({ length: RECOVERY_CODES }, () => randomText(LEGIBLE, 10));
    const secret = { put: recoverySecret(userId), kind: 'recovery-codes', value: Buffer.concat(codes.map(digestOf)) };
    return { codes: codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`), secret };
  }

  /** Counted before the code is compared, so that guesses at the same time count too. */
  private async countGuess(realmId: RealmId, userId: UserId): Promise<void> {
    const now = this.kernel.clock.now();
    const { rows } = await this.kernel.database.pool.query<{ guesses: number; since: number }>({
      name: 'second-factor-guess',
      text: `INSERT INTO secrets AS s (realm_id, id, kind, value, used_at) VALUES ($1, $2, 'code-guesses', $3, $4)
        ON CONFLICT (realm_id, id) DO UPDATE SET
          value = CASE WHEN s.used_at <= $5 THEN excluded.value
            ELSE set_byte(s.value, 0, least(get_byte(s.value, 0) + 1, 255)) END,
          used_at = CASE WHEN s.used_at <= $5 THEN excluded.used_at ELSE s.used_at END
        RETURNING get_byte(value, 0) AS guesses, used_at AS since`,
      values: [realmId, guessesSecret(userId), Buffer.from([1]), now, now - WINDOW_MS],
    });
    const { guesses = 0, since = now } = rows[0] ?? {};
    if (guesses > MAX_GUESSES) throw reject.tooManyCodes({ 'retry-after': (since + WINDOW_MS - now) / 1000 });
  }

  /** The step is noted in one statement, so of two logins with one code one is refused. */
  private async spendStep(realmId: RealmId, userId: UserId, code: string): Promise<boolean> {
    const secret = await readSecret(this.kernel.database.pool, realmId, appSecret(userId));
    const step = secret && stepOf(secret, code, this.kernel.clock.now());
    if (step === undefined) return false;
    const { rowCount } = await this.kernel.database.pool.query({
      name: 'totp-spend-step',
      text: 'UPDATE secrets SET used_at = $3 WHERE realm_id = $1 AND id = $2 AND (used_at IS NULL OR used_at < $3)',
      values: [realmId, appSecret(userId), step],
    });
    return rowCount === 1;
  }

  private async spendRecovery(work: Work, userId: UserId, code: string): Promise<boolean> {
    const stored =
      (await readSecret(this.kernel.database.pool, work.realmId, recoverySecret(userId))) ?? Buffer.alloc(0);
    const digest = digestOf(code);
    const left: Buffer[] = [];
    let isOne = false;
    for (let at = 0; at + DIGEST_BYTES <= stored.length; at += DIGEST_BYTES) {
      const one = stored.subarray(at, at + DIGEST_BYTES);
      if (timingSafeEqual(one, digest)) isOne = true;
      else left.push(one);
    }
    if (!isOne) return false;
    await work.decide(twoFactorsAggregate, userId, (state) => spendRecoveryCode(state, userId));
    work.secret({ put: recoverySecret(userId), kind: 'recovery-codes', value: Buffer.concat(left) });
    return true;
  }
}

/** Codes are random, so a fast hash is enough. */
const digestOf = (code: string): Buffer => hash('sha256', code, 'buffer');
