import type { Work } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { invitationAggregate } from '../domain/invitation';
import { readInvitationOf } from '../read/invitation-rows';

/** What administrators wrote in invitations, for the people who joined by them. */
@Injectable()
export class InvitationWelcomes {
  constructor(private readonly kernel: Kernel) {}

  /** Null where the text of the organization counts. Empty for nothing. */
  async textFor(work: Work, userId: UserId): Promise<string | null> {
    const id = await readInvitationOf(this.kernel.database.pool, work.realmId, userId);
    return id === null ? null : ((await work.peek(invitationAggregate, id))?.welcomeText ?? null);
  }
}
