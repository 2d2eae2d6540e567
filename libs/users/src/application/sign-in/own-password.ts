import type { Work } from '@annals/kernel';
import { PASSWORD } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { userAggregate } from '../../domain/account/account';
import { ensureStrong } from '../../domain/account/password';
import { reject } from '../../domain/rejections';
import { UserFacts } from '../../read/account/user-facts';
import { NewAccounts } from '../account/new-accounts';
import { AccountPasswords } from './account-passwords';
import { Passwords } from './passwords';
import { Sessions } from './sessions';

/** The present password of the request, and the new one. */
export interface PasswordChange {
  readonly old: string;
  readonly requested: string;
}

/**
 * Changes the actor's password, which ends their other sessions. Keys and queues remain valid. Regenerating the key ends them.
 */
@Injectable()
export class OwnPassword {
  constructor(
    private readonly facts: UserFacts,
    private readonly passwords: Passwords,
    private readonly places: AccountPasswords,
    private readonly accounts: NewAccounts,
    private readonly sessions: Sessions,
  ) {}

  /**
   * @throws Rejected BAD_REQUEST when the old password is wrong, which is always so for bots, or the new one is too
   *   weak, and for a password that is in another system
   */
  async change(work: Work, { old, requested }: PasswordChange): Promise<void> {
    const { realmId, userId } = work.actor;
    // The state is read first: if the password changes meanwhile, the account changes too, and everything is decided
    // again.
    await work.read(userAggregate, userId);
    if ((await this.places.placeOf(realmId, userId)) === 'elsewhere') throw reject.passwordElsewhere();
    if (!(await this.passwords.matches(realmId, userId, old))) throw reject.wrongPassword();
    const account = await this.facts.account(realmId, userId);
    ensureStrong(requested, PASSWORD, account ? [account.deliveryEmail, account.fullName] : []);
    await this.accounts.setPassword(work, userId, await this.passwords.secretOf(userId, requested));
    await this.sessions.endAll(work, userId, 'password', work.actor.sessionId);
  }
}
