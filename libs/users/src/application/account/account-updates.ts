import type { Work } from '@annals/kernel';
import type { Actor, UserId } from '@annals/kernel/domain';
import { Role } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { Account, AccountChange, AccountPatch } from '../../domain/account/account';
import { claimsName, isOtherName, updateAccount, userAggregate } from '../../domain/account/account';
import { EmailChangeRules } from '../email/email-rules';
import { endUnfinished } from '../sign-in/unfinished';
import { Uniqueness } from './uniqueness';

/** Changes name, role and email of accounts within a unit of work. */
@Injectable()
export class AccountUpdates {
  constructor(
    private readonly uniqueness: Uniqueness,
    private readonly addresses: EmailChangeRules,
  ) {}

  /**
   * @param by an administrator, or a directory with `DIRECTORY_RIGHTS`
   * @throws Rejected for the first part that is refused
   */
  async update(
    work: Work,
    userId: UserId,
    input: AccountPatch,
    by: Pick<Actor, 'role' | 'canChangeUserEmails'>,
  ): Promise<readonly AccountChange[]> {
    const rules = await this.rulesFor(work, await work.read(userAggregate, userId), input);
    const changes = await work.decide(userAggregate, userId, (state) => updateAccount(state, input, by, rules));
    if (changes.some(({ type }) => type === 'users.AddressChanged')) endUnfinished(work, userId);
    return changes as readonly AccountChange[];
  }

  private async rulesFor(work: Work, account: Account | null, { fullName, role, email }: AccountPatch) {
    const claims = account !== null && isOtherName(account, fullName) && claimsName(account, fullName);
    const losesOwner = role !== undefined && role !== Role.owner;
    return {
      nameTaken: claims && (await this.uniqueness.nameTaken(work, fullName)),
      isLastOwner: losesOwner && (await this.uniqueness.isLastOwner(work, account)),
      address: await this.addresses.rulesFor(work, account, email),
    };
  }
}
