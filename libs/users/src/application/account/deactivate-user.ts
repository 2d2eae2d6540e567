import { UnitOfWork } from '@annals/kernel';
import type { Actor, UserId } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { deactivateAccount, userAggregate } from '../../domain/account/account';
import type { DeletedParts } from '../../domain/account/account-lifecycle';
import { NOTHING_DELETED } from '../../domain/account/account-lifecycle';
import { AccountDeletion } from './account-deletion';
import { stillActive } from '../guards';
import { endBots } from './deactivate-self';
import { Uniqueness } from './uniqueness';

/** Deactivates a person's bots and account, with the requested deletions (contract/users.md section 5). */
export class DeactivateUser extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly userId: UserId,
    readonly deletions: DeletedParts = NOTHING_DELETED,
  ) {
    super();
  }
}

@CommandHandler(DeactivateUser)
export class DeactivateUserHandler implements ICommandHandler<DeactivateUser> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly uniqueness: Uniqueness,
    private readonly departed: AccountDeletion,
  ) {}

  async execute({ by, userId, deletions }: DeactivateUser): Promise<void> {
    const pictures = await this.work.run(by, async (work) => {
      const account = await work.read(userAggregate, userId);
      const isLastOwner = await this.uniqueness.isLastOwner(work, account);
      const bots = await endBots(work, account?.bots ?? []);
      await work.decide(userAggregate, userId, (state) => deactivateAccount(state, work.actor, { isLastOwner }));
      work.changesGuard(stillActive, userId);
      const taken: (string | null)[] = [];
      for (const id of [...bots, userId]) taken.push(await this.departed.deleteWith(work, id, deletions));
      return taken;
    });
    await this.departed.discard(by.realmId, pictures);
  }
}
