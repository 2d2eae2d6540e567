import type { Kernel } from '@annals/kernel';
import { UnitOfWork, systemActor } from '@annals/kernel';
import type { Actor, RealmId, UserId } from '@annals/kernel/domain';
import { ensure } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { userAggregate } from '../../domain/account/account';
import { mayEndTwoFactorsOf } from '../../domain/policies';
import { reject } from '../../domain/rejections';
import { UserFacts } from '../../read/account/user-facts';
import { SecondFactors } from './second-factors';

/** An owner ends two-factor login of somebody who has lost the app and all recovery codes. The person gets a mail. */
export class EndTwoFactorsOf extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly email: string,
  ) {
    super();
  }
}

@CommandHandler(EndTwoFactorsOf)
export class EndTwoFactorsOfHandler implements ICommandHandler<EndTwoFactorsOf> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly facts: UserFacts,
    private readonly factors: SecondFactors,
  ) {}

  /** @throws Rejected unless the actor is an owner and the account, which is another one, needs codes */
  async execute({ by, email }: EndTwoFactorsOf): Promise<void> {
    await this.work.run(by, async (work) => {
      const userId = await this.facts.idByEmail(work.realmId, email);
      ensure(mayEndTwoFactorsOf(userId, work.actor));
      if (userId === undefined) throw reject.noSuchUser();
      await work.read(userAggregate, userId);
      await this.factors.end(work, userId);
    });
  }
}

/**
 * An operator does the same. It is recorded in the log.
 *
 * @returns the account. Undefined when none has this email
 * @throws Rejected when its logins need no code
 */
export async function endTwoFactorsFor(kernel: Kernel, realmId: RealmId, email: string): Promise<UserId | undefined> {
  await kernel.fence.reach(realmId);
  const userId = await new UserFacts(kernel).idByEmail(realmId, email);
  if (userId === undefined) return undefined;
  await kernel.work.run(systemActor(realmId), (work) => new SecondFactors(kernel).end(work, userId));
  return userId;
}
