import type { Work } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { Deactivations } from '../account/deactivations';
import { NewAccounts } from '../account/new-accounts';
import type { PasswordSecret } from './passwords';
import { Sessions } from './sessions';

/** Replaces passwords that are lost, or that somebody else may know. */
@Injectable()
export class ReplacedPasswords {
  constructor(
    private readonly accounts: NewAccounts,
    private readonly sessions: Sessions,
    private readonly deactivations: Deactivations,
  ) {}

  /** Gives an account a password that was checked and hashed. All sessions and keys end: they may be of somebody who knew the former one. */
  async replace(work: Work, userId: UserId, secret: PasswordSecret): Promise<void> {
    await this.accounts.setPassword(work, userId, secret);
    await this.sessions.endAll(work, userId, 'password');
    await this.deactivations.revokeKeys(work, userId);
  }
}
