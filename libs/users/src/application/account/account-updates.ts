import type { Work } from '@annals/kernel';
import type { Actor, UserId } from '@annals/kernel/domain';
import { Role, isAdministrator, isGuest } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { Account, AccountChange, AccountPatch } from '../../domain/account/account';
import { claimsName, isOtherName, updateAccount, userAggregate } from '../../domain/account/account';
import { DIRECTORY_RIGHTS } from '../../domain/policies';
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
   * @param by an administrator, or a directory
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

  /**
   * Makes an account what a directory says that owners connected, such as SCIM or LDAP.
   *
   * @throws Rejected for the first part that is refused
   */
  async follow(work: Work, userId: UserId, input: AccountPatch): Promise<void> {
    const account = await work.read(userAggregate, userId);
    // A directory does not know that a guest first becomes a member.
    const isTwoSteps = account !== null && isGuest(account) && isAdministrator({ role: input.role ?? account.role });
    if (isTwoSteps) await this.update(work, userId, { role: Role.member }, DIRECTORY_RIGHTS);
    await this.update(work, userId, input, DIRECTORY_RIGHTS);
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
