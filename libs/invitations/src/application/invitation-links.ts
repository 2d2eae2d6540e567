import { Kernel } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { createLink, invitationAggregate } from '../domain/invitation';
import type { InvitationOffer } from '../domain/offer';
import { JoinAddresses } from './join-addresses';
import { InvitationRules } from './invitation-rules';
import { JoinTokens } from './tokens';

/** Creates a link with which any number of people may join. Returns it (contract/whole-interface.md section 1). */
export class CreateInvitationLink extends Command<string> {
  constructor(
    readonly by: Actor,
    readonly offer: InvitationOffer,
  ) {
    super();
  }
}

@CommandHandler(CreateInvitationLink)
export class CreateInvitationLinkHandler implements ICommandHandler<CreateInvitationLink> {
  constructor(
    private readonly kernel: Kernel,
    private readonly rules: InvitationRules,
    private readonly tokens: JoinTokens,
    private readonly addresses: JoinAddresses,
  ) {}

  async execute({ by, offer }: CreateInvitationLink): Promise<string> {
    const id = await this.kernel.ids.next(by.realmId, 'invitation');
    const token = this.tokens.random();
    await this.kernel.work.run(by, async (work) => {
      await this.rules.ensureMayInvite(work, 'create_multiuse_invite_group', offer);
      await work.decide(invitationAggregate, id, () => createLink(id, offer, work.actor));
      work.secret(this.tokens.put('invitation', id, token));
    });
    return this.addresses.invitation(by.realmId, token);
  }
}
