import { UnitOfWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { InvitationId } from '../domain/events';
import { invitationAggregate, resend, revoke } from '../domain/invitation';
import { reject } from '../domain/rejections';
import { InvitationRules } from './invitation-rules';
import { Inviters } from './inviters';
import { JoinTokens } from './tokens';

/** Takes an invitation or a link back (contract/whole-interface.md section 1). */
export class RevokeInvitation extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly id: InvitationId,
    readonly isLink: boolean,
  ) {
    super();
  }
}

@CommandHandler(RevokeInvitation)
export class RevokeInvitationHandler implements ICommandHandler<RevokeInvitation> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly tokens: JoinTokens,
  ) {}

  async execute({ by, id, isLink }: RevokeInvitation): Promise<void> {
    await this.work.run(by, async (work) => {
      await work.decide(invitationAggregate, id, (state) => revoke(state, work.actor, isLink));
      work.secret(this.tokens.drop('invitation', id));
    });
  }
}

/** Sends the mail with an invitation again (contract/whole-interface.md section 1). */
export class ResendInvitation extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly id: InvitationId,
  ) {
    super();
  }
}

@CommandHandler(ResendInvitation)
export class ResendInvitationHandler implements ICommandHandler<ResendInvitation> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly rules: InvitationRules,
    private readonly inviters: Inviters,
  ) {}

  async execute({ by, id }: ResendInvitation): Promise<void> {
    await this.work.run(by, async (work) => {
      await work.decide(invitationAggregate, id, (state) => resend(state, work.actor, work.at));
      const invitation = await work.read(invitationAggregate, id);
      if (!invitation || !(await this.inviters.mayStillOffer(work, invitation))) throw reject.inviterMayNot();
      await this.rules.ensureRoom(work, 1);
    });
  }
}
