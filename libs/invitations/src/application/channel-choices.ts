import type { DefaultGroupRow } from '@annals/channels';
import { readDefaultGroups } from '@annals/channels';
import { Kernel } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { isGuest } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { InvitationId } from '../domain/events';
import { OpenLinks } from './open-links';

/**
 * The groups of default channels that people choose from when they join. They get the channels of these beside all others. Guests choose
 * none: they see what somebody has given them.
 */
@Injectable()
export class ChannelChoices {
  constructor(
    private readonly kernel: Kernel,
    private readonly links: OpenLinks,
  ) {}

  /** What a form offers. @param invitationId the invitation of the person. Null for none */
  async offered(realmId: RealmId, invitationId: InvitationId | null): Promise<readonly DefaultGroupRow[]> {
    if (invitationId !== null) {
      const invitation = await this.links.usableInvitation(realmId, invitationId);
      if (!invitation || isGuest(invitation)) return [];
    }
    return readDefaultGroups(this.kernel.database.pool, realmId);
  }
}
