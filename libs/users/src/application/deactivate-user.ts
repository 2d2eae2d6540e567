import { UnitOfWork } from '@annals/kernel';
import type { Actor, UserId } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { deactivate, userAggregate } from '../domain/account';
import { stillActive } from './guards';
import { endBots } from './leave';
import { Uniqueness } from './uniqueness';

/** Ends a person's account, and before it those of their bots (contract/users.md section 5). */
export class DeactivateUser extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly userId: UserId,
  ) {
    super();
  }
}

@CommandHandler(DeactivateUser)
export class DeactivateUserHandler implements ICommandHandler<DeactivateUser> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly uniqueness: Uniqueness,
  ) {}

  async execute({ by, userId }: DeactivateUser): Promise<void> {
    await this.work.run(by, async (work) => {
      const account = await work.read(userAggregate, userId);
      const isLastOwner = await this.uniqueness.isLastOwner(work, account);
      await endBots(work, account?.bots ?? []);
      await work.decide(userAggregate, userId, (state) => deactivate(state, work.actor, { isLastOwner }));
      work.changesGuard(stillActive, userId);
    });
  }
}
