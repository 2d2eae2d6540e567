import { AddableChannels } from '@annals/channels';
import { ensureMayAddOthers } from '@annals/groups';
import type { Work } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import { ensure } from '@annals/kernel/domain';
import { organization } from '@annals/realm';
import { UserFacts } from '@annals/users';
import { Injectable } from '@nestjs/common';
import type { InvitationOffer } from '../domain/offer';
import type { InvitingSetting } from '../domain/policies';
import { isSettled, mayInvite, mayOffer } from '../domain/policies';
import { reject } from '../domain/rejections';
import { countSent } from '../read/invitation-rows';
import { dayOf } from '../read/invitations.view';
import { invitationRoom, roomKey } from './guards';
import { InvitationOptions } from './invitation-options';

/** Who may invite whom, and how often. The append depends on everything that is read. */
@Injectable()
export class InvitationRules {
  constructor(
    private readonly kernel: Kernel,
    private readonly users: UserFacts,
    private readonly channels: AddableChannels,
    private readonly options: InvitationOptions,
  ) {}

  /** @throws Rejected unless the actor may invite at all, and may give everything that is offered */
  async ensureMayInvite(work: Work, setting: InvitingSetting, offer: InvitationOffer): Promise<void> {
    const { settings } = await organization(work);
    ensure(mayInvite(settings[setting], work.actor));
    ensure(mayOffer(offer, work.actor));
    const { unknown, mayAddToAll } = await this.channels.check(work, offer.channelIds);
    if (unknown !== null) throw reject.unknownChannel({ channel: unknown });
    if (!mayAddToAll) throw reject.mayNotSubscribeOthers();
    await ensureMayAddOthers(work, offer.groupIds);
  }

  /** @throws Rejected INVITATION_FAILED for a new member of an organization that everybody may join */
  async ensureSettled(work: Work): Promise<void> {
    const { settings } = await organization(work);
    if (settings.invite_required) return;
    const account = await this.users.account(work.realmId, work.actor.userId);
    if (account && !isSettled(work.actor, account.joinedAt, work.at)) throw reject.accountTooNew();
  }

  /** @throws Rejected INVITATION_FAILED when the organization may not send so many mails today */
  async ensureRoom(work: Work, mails: number): Promise<void> {
    const day = dayOf(work.at);
    const most = this.options.perDay - mails;
    if ((await countSent(this.kernel.database.pool, work.realmId, day)) > most) throw reject.limitReached();
    work.guard(invitationRoom, roomKey(day, most));
    work.changesGuard(invitationRoom, day);
  }
}
