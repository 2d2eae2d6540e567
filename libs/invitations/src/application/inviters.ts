import { AddableChannels } from '@annals/channels';
import { ActorReader, groupsToAddOthers } from '@annals/groups';
import type { Work } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { Actor, ChannelId, GroupId } from '@annals/kernel/domain';
import { organization } from '@annals/realm';
import { isActive, userAggregate } from '@annals/users';
import { Injectable } from '@nestjs/common';
import type { Invitation } from '../domain/invitation';
import { invitingSetting, mayInvite, mayOffer } from '../domain/policies';

/** What an inviter may still give of what they offered. */
interface Given {
  readonly channels: readonly ChannelId[];
  readonly groups: readonly GroupId[];
}

/** The rights of inviters when somebody uses their invitations: rights that they had when they invited do not count. */
@Injectable()
export class Inviters {
  constructor(
    private readonly kernel: Kernel,
    private readonly actors: ActorReader,
    private readonly channels: AddableChannels,
  ) {}

  /**
   * Whether the inviter may invite now, and give the role and the text that they offered. The append depends on their account.
   */
  async mayStillOffer(work: Work, invitation: Invitation): Promise<boolean> {
    const inviter = await this.present(work, invitation);
    if (!inviter) return false;
    const { settings } = await organization(work);
    return mayInvite(settings[invitingSetting(invitation)], inviter).allowed && mayOffer(invitation, inviter).allowed;
  }

  /** The channels and groups of an invitation to which the inviter may add people now. The append depends on them. */
  async mayStillGive(work: Work, invitation: Invitation): Promise<Given> {
    const inviter = await this.present(work, invitation);
    if (!inviter) return { channels: [], groups: [] };
    return {
      channels: await this.channels.among(work, invitation.channelIds, inviter),
      groups: await groupsToAddOthers(work, invitation.groupIds, inviter),
    };
  }

  /** Null for an inviter who was deactivated. */
  private async present(work: Work, { inviterId }: Invitation): Promise<Actor | null> {
    const account = await work.read(userAggregate, inviterId);
    if (!account || !isActive(account)) return null;
    // The rights are at least as new as the account that the append depends on.
    await this.kernel.fence.reach(work.realmId);
    return this.actors.actor(work.realmId, inviterId, work.by.origin);
  }
}
