import type { Work } from '@annals/kernel';
import { UnitOfWork } from '@annals/kernel';
import type { Actor, UserId } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { deactivateWithOwner, userAggregate } from '../../domain/account/account';
import { deactivateOwn } from '../../domain/account/account-lifecycle';
import { stillActive } from '../guards';
import { Sessions } from '../sign-in/sessions';
import { endUnfinished } from '../sign-in/unfinished';
import { Uniqueness } from './uniqueness';

/** Deactivates the actor's bots and then their own account (contract/users.md section 5). */
export class DeactivateSelf extends Command<void> {
  constructor(readonly by: Actor) {
    super();
  }
}

@CommandHandler(DeactivateSelf)
export class DeactivateSelfHandler implements ICommandHandler<DeactivateSelf> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly uniqueness: Uniqueness,
    private readonly sessions: Sessions,
  ) {}

  async execute({ by }: DeactivateSelf): Promise<void> {
    await this.work.run(by, async (work) => {
      const { userId } = work.actor;
      const account = await work.read(userAggregate, userId);
      const isLastUser = await this.uniqueness.isLastUser(work, account);
      const isLastOwner = await this.uniqueness.isLastOwner(work, account);
      await endBots(work, account?.bots ?? []);
      await work.decide(userAggregate, userId, (state) => deactivateOwn(state, { isLastOwner, isLastUser }));
      await this.sessions.endAll(work, userId, 'deactivation');
      endUnfinished(work, userId);
      work.changesGuard(stillActive, userId);
    });
  }
}

/** Deactivates bots before their owner. @returns the bots that were active */
export async function endBots(work: Work, bots: readonly UserId[]): Promise<UserId[]> {
  const ended: UserId[] = [];
  for (const bot of bots) {
    const facts = await work.decide(userAggregate, bot, deactivateWithOwner);
    if (facts.length > 0) ended.push(bot);
    work.changesGuard(stillActive, bot);
  }
  return ended;
}
