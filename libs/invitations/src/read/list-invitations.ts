import { Kernel } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { InvitationRow } from './invitation-rows';
import { readManageable } from './invitation-rows';

/** The invitations that the actor can manage (contract/whole-interface.md section 1). */
export class ListInvitations extends Query<readonly InvitationRow[]> {
  constructor(readonly by: Actor) {
    super();
  }
}

@QueryHandler(ListInvitations)
export class ListInvitationsHandler implements IQueryHandler<ListInvitations> {
  constructor(private readonly kernel: Kernel) {}

  execute({ by }: ListInvitations): Promise<readonly InvitationRow[]> {
    const { database, clock } = this.kernel;
    return readManageable(database.pool, by.realmId, by, clock.now());
  }
}
