import { UnitOfWork } from '@annals/kernel';
import type { Actor, UserId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { DeletedParts } from '../../domain/account/account-lifecycle';
import { NOTHING_DELETED } from '../../domain/account/account-lifecycle';
import { DeactivationExplained } from '../../domain/deactivation-events';
import { AccountDeletion } from './account-deletion';
import { Deactivations } from './deactivations';

/** Deactivates a person's bots and account, with the requested deletions (contract/users.md section 5). */
export class DeactivateUser extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly userId: UserId,
    readonly deletions: DeletedParts = NOTHING_DELETED,
    /** What the administrator writes to the person. Empty for a mail without a text. Left out for no mail. */
    readonly comment?: string,
  ) {
    super();
  }
}

@CommandHandler(DeactivateUser)
export class DeactivateUserHandler implements ICommandHandler<DeactivateUser> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly deactivations: Deactivations,
    private readonly departed: AccountDeletion,
  ) {}

  async execute({ by, userId, deletions, comment }: DeactivateUser): Promise<void> {
    const pictures = await this.work.run(by, async (work) => {
      const ended = await this.deactivations.deactivate(work, userId, work.actor);
      if (comment !== undefined)
        work.append(`deactivation-${userId}`, [fact(DeactivationExplained, { userId }, { comment })]);
      const taken: (string | null)[] = [];
      for (const id of ended) taken.push(await this.departed.deleteWith(work, id, deletions));
      return taken;
    });
    await this.departed.discard(by.realmId, pictures);
  }
}
