import { Kernel } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import { isDirectory } from '../../domain/single-sign-on/identities';
import { readIssuersOf } from '../../read/single-sign-on/identities';

/** What can log an account in. */
export interface LinkedIssuer {
  readonly issuer: string;
  /** The person may end it. Directories belong to the organization. */
  readonly isOwn: boolean;
}

/** The issuers that can log the actor in, the first linked first. */
export class ListIdentities extends Query<readonly LinkedIssuer[]> {
  constructor(readonly by: Actor) {
    super();
  }
}

@QueryHandler(ListIdentities)
export class ListIdentitiesHandler implements IQueryHandler<ListIdentities> {
  constructor(private readonly kernel: Kernel) {}

  async execute({ by }: ListIdentities): Promise<readonly LinkedIssuer[]> {
    const issuers = await readIssuersOf(this.kernel.database.pool, by.realmId, by.userId);
    return issuers.map((issuer) => ({ issuer, isOwn: !isDirectory(issuer) }));
  }
}
