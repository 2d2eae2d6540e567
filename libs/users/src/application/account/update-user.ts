import type { Work } from '@annals/kernel';
import { UnitOfWork } from '@annals/kernel';
import type { Actor, UserId } from '@annals/kernel/domain';
import { Role } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { Account, AccountPatch } from '../../domain/account/account';
import { claimsName, isOtherName, updateAccount, userAggregate } from '../../domain/account/account';
import { EmailChangeRules } from '../email/email-rules';
import { ProfileValues } from '../profile/profile-values';
import { Uniqueness } from './uniqueness';

/** Changes a user's name, role, email and profile, all of it or nothing (INTERFACE.md 4.5). */
export class UpdateUser extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly userId: UserId,
    readonly input: AccountPatch,
  ) {
    super();
  }
}

@CommandHandler(UpdateUser)
export class UpdateUserHandler implements ICommandHandler<UpdateUser> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly uniqueness: Uniqueness,
    private readonly addresses: EmailChangeRules,
    private readonly profiles: ProfileValues,
  ) {}

  async execute({ by, userId, input }: UpdateUser): Promise<void> {
    await this.work.run(by, async (work) => {
      const rules = await this.rulesFor(work, await work.read(userAggregate, userId), input);
      await work.decide(userAggregate, userId, (state) => updateAccount(state, input, work.actor, rules));
      if (input.profileData?.length) await this.profiles.change(work, userId, input.profileData);
    });
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
