import { hash, randomInt, timingSafeEqual } from 'node:crypto';
import type { Work } from '@annals/kernel';
import { Kernel, readSecret, systemActor } from '@annals/kernel';
import type { RealmId, UserId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { RECOVERY_CODES, spendRecoveryCode, twoFactorsAggregate } from '../../domain/sign-in/two-factors';
import { APP_CODE, stepOf } from './authenticator-app';

const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
const DIGEST_BYTES = 32;

export const appSecret = (userId: UserId): string => `totp-${userId}`;
export const recoverySecret = (userId: UserId): string => `recovery-${userId}`;

/** One attempt to log in. A code of an app is used once, also when the unit of work of the login runs again. */
export interface CodeAttempt {
  readonly code: string;
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

  /** Whether the code is one of the account's. It is of no use again. */
  async accept(work: Work, userId: UserId, attempt: CodeAttempt): Promise<boolean> {
    const code = attempt.code.replace(/[\s-]/g, '').toLowerCase();
    if (!APP_CODE.test(code)) return this.spendRecovery(work, userId, code);
    attempt.isAccepted ??= await this.spendStep(work.realmId, userId, code);
    return attempt.isAccepted;
  }

  /** Ten new recovery codes, in the form that people write down, and the secret that stores their digests. */
  newRecoveryCodes(userId: UserId) {
    const codes = Array.from({ length: RECOVERY_CODES }, () => letters(5) + letters(5));
    const secret = { put: recoverySecret(userId), kind: 'recovery-codes', value: Buffer.concat(codes.map(digestOf)) };
    return { codes: codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`), secret };
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

const letters = (count: number): string =>
  Array.from({ length: count }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

/** Codes are random, so a fast hash is enough. */
const digestOf = (code: string): Buffer => hash('sha256', code, 'buffer');
