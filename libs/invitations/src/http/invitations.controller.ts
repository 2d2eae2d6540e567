import { Kernel } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import { By, Endpoint, Params } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { CreateInvitationLink } from '../application/invitation-links';
import { InvitePeople } from '../application/invite-people';
import { ResendInvitation, RevokeInvitation } from '../application/manage-invitations';
import { ListInvitations } from '../read/list-invitations';
import { InvitationPresenter, invitationShape } from './present-invitation';
import { CreateLinkParams, InvitationParams, InvitePeopleParams, toInvitees, toOffer } from './invitations.params';

const SECTION = { section: 'whole-interface 1', audience: 'human-members' } as const;

@Controller()
export class InvitationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly kernel: Kernel,
    private readonly presenter: InvitationPresenter,
  ) {}

  /** contract/whole-interface.md section 1 */
  @Endpoint('GET', 'invites', {
    ...SECTION,
    summary: 'Open invitations: one’s own, and for administrators all',
    returns: t.Object({ invites: t.Array(invitationShape) }),
  })
  async list(@By() by: Actor) {
    return { invites: await this.presenter.present(by.realmId, await this.queries.execute(new ListInvitations(by))) };
  }

  /** contract/whole-interface.md section 1 */
  @Endpoint('POST', 'invites', {
    ...SECTION,
    summary: 'Invite people by mail',
    command: 'InvitePeople',
    returns: null,
  })
  async invite(@By() by: Actor, @Params(InvitePeopleParams) p: InvitePeopleParams): Promise<void> {
    const offer = { ...toOffer(p, this.kernel.clock.now()), notifiesInviter: p.notify_referrer_on_join };
    await this.commands.execute(new InvitePeople(by, toInvitees(p), offer));
  }

  /** contract/whole-interface.md section 1 */
  @Endpoint('POST', 'invites/multiuse', {
    ...SECTION,
    summary: 'Create a link with which any number of people may join',
    command: 'CreateInvitationLink',
    returns: t.Object({ invite_link: t.String() }),
  })
  async createLink(@By() by: Actor, @Params(CreateLinkParams) p: CreateLinkParams) {
    const offer = toOffer(p, this.kernel.clock.now());
    return { invite_link: await this.commands.execute(new CreateInvitationLink(by, offer)) };
  }

  /** contract/whole-interface.md section 1 */
  @Endpoint('DELETE', 'invites/:invite_id', {
    ...SECTION,
    summary: 'Take back an invitation by mail',
    command: 'RevokeInvitation',
    returns: null,
  })
  async revoke(@By() by: Actor, @Params(InvitationParams) { invite_id }: InvitationParams): Promise<void> {
    await this.commands.execute(new RevokeInvitation(by, invite_id, false));
  }

  /** contract/whole-interface.md section 1 */
  @Endpoint('DELETE', 'invites/multiuse/:invite_id', {
    ...SECTION,
    summary: 'Take back an invitation link',
    command: 'RevokeInvitation',
    returns: null,
  })
  async revokeLink(@By() by: Actor, @Params(InvitationParams) { invite_id }: InvitationParams): Promise<void> {
    await this.commands.execute(new RevokeInvitation(by, invite_id, true));
  }

  /** contract/whole-interface.md section 1 */
  @Endpoint('POST', 'invites/:invite_id/resend', {
    ...SECTION,
    summary: 'Send the mail with an invitation again',
    command: 'ResendInvitation',
    returns: null,
  })
  async resend(@By() by: Actor, @Params(InvitationParams) { invite_id }: InvitationParams): Promise<void> {
    await this.commands.execute(new ResendInvitation(by, invite_id));
  }
}
