import { UnitOfWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { identitiesAggregate, unlinkOwnIdentity } from '../../domain/single-sign-on/identities';
import { identityFree, identityKey } from './guards';

/** A provider cannot log the actor in any more, until they log in there with a verified address again. */
export class UnlinkIdentity extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly issuer: string,
  ) {
    super();
  }
}

@CommandHandler(UnlinkIdentity)
export class UnlinkIdentityHandler implements ICommandHandler<UnlinkIdentity> {
  constructor(private readonly work: UnitOfWork) {}

  async execute({ by, issuer }: UnlinkIdentity): Promise<void> {
    await this.work.run(by, async (work) => {
      const { userId } = work.actor;
      const subject = (await work.read(identitiesAggregate, userId)).get(issuer);
      await work.decide(identitiesAggregate, userId, (state) => unlinkOwnIdentity(state, userId, issuer));
      if (subject != null) work.changesGuard(identityFree, identityKey({ issuer, subject }));
    });
  }
}
