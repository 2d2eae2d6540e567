import { UnitOfWork } from '@annals/kernel';
import type { Actor, UserId } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { AccountPatch } from '../../domain/account/account';
import { ProfileValues } from '../profile/profile-values';
import { AccountUpdates } from './account-updates';

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
    private readonly accounts: AccountUpdates,
    private readonly profiles: ProfileValues,
  ) {}

  async execute({ by, userId, input }: UpdateUser): Promise<void> {
    await this.work.run(by, async (work) => {
      await this.accounts.update(work, userId, input, work.actor);
      if (input.profileData?.length) await this.profiles.change(work, userId, input.profileData);
    });
  }
}
