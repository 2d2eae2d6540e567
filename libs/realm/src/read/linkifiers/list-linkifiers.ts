import { Kernel } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { OwnLinkifier } from '../../domain/linkifiers/linkifiers';
import { readLinkifiers } from './linkifiers';

/** The linkifiers in their order. */
export class ListLinkifiers extends Query<readonly OwnLinkifier[]> {
  constructor(readonly by: Actor) {
    super();
  }
}

@QueryHandler(ListLinkifiers)
export class ListLinkifiersHandler implements IQueryHandler<ListLinkifiers> {
  constructor(private readonly kernel: Kernel) {}

  execute({ by }: ListLinkifiers): Promise<readonly OwnLinkifier[]> {
    return readLinkifiers(this.kernel.database.pool, by.realmId);
  }
}
