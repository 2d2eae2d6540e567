import { Kernel } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import { readDomains } from './domains';

type Domains = Awaited<ReturnType<typeof readDomains>>;

/** The domains that emails may be restricted to (contract/navigation-snippets-domains.md section 3). */
export class ListDomains extends Query<Domains> {
  constructor(readonly by: Actor) {
    super();
  }
}

@QueryHandler(ListDomains)
export class ListDomainsHandler implements IQueryHandler<ListDomains> {
  constructor(private readonly kernel: Kernel) {}

  execute({ by }: ListDomains): Promise<Domains> {
    return readDomains(this.kernel.database.pool, by.realmId);
  }
}
