import type { Work } from '@annals/kernel';
import { PASSWORD } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { userAggregate } from '../../domain/account/account';
import { ensureStrong } from '../../domain/account/password';
import { reject } from '../../domain/rejections';
import { UserFacts } from '../../read/account/user-facts';
import { NewAccounts } from '../account/new-accounts';
import { Passwords } from './passwords';

/** The given present password, and the new one. */
export interface PasswordChange {
  readonly old: string;
  readonly wished: string;
}

/** Changes the actor's password. Keys and queues stay valid; regenerating the key ends them. */
@Injectable()
export class OwnPassword {
  constructor(
    private readonly facts: UserFacts,
    private readonly passwords: Passwords,
    private readonly accounts: NewAccounts,
  ) {}

  /** @throws Rejected BAD_REQUEST when the old password is wrong, as it is for bots, or the new one too weak */
  async change(work: Work, { old, wished }: PasswordChange): Promise<void> {
    const { realmId, userId } = work.actor;
    // The state is read first: a password that is changed meanwhile moves the account on, and all is done again.
    await work.read(userAggregate, userId);
    if (!(await this.passwords.matches(realmId, userId, old))) throw reject.wrongPassword();
    const account = await this.facts.account(realmId, userId);
    ensureStrong(wished, PASSWORD, account ? [account.deliveryEmail, account.fullName] : []);
    await this.accounts.setPassword(work, userId, await this.passwords.secretOf(userId, wished));
  }
}
