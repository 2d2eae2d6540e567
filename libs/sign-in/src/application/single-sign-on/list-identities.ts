import { Kernel } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import { readIssuersOf } from '../../read/single-sign-on/identities';

/** The issuers that can log the actor in, the first linked first. */
export class ListIdentities extends Query<readonly string[]> {
  constructor(readonly by: Actor) {
    super();
  }
}

@QueryHandler(ListIdentities)
export class ListIdentitiesHandler implements IQueryHandler<ListIdentities> {
  constructor(private readonly kernel: Kernel) {}

  execute({ by }: ListIdentities): Promise<readonly string[]> {
    return readIssuersOf(this.kernel.database.pool, by.realmId, by.userId);
  }
}
