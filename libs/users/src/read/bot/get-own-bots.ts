import { Kernel } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import { UserFacts } from '../account/user-facts';
import type { UserRow } from '../account/user-row';
import { readActiveBots } from '../account/user-row';

/** The active bots of the actor (contract/users.md section 7). */
export class GetOwnBots extends Query<UserRow[]> {
  constructor(readonly by: Actor) {
    super();
  }
}

@QueryHandler(GetOwnBots)
export class GetOwnBotsHandler implements IQueryHandler<GetOwnBots> {
  constructor(
    private readonly kernel: Kernel,
    private readonly facts: UserFacts,
  ) {}

  async execute({ by }: GetOwnBots): Promise<UserRow[]> {
    const ids = await readActiveBots(this.kernel.database.pool, by.realmId, by.userId);
    const bots = await this.facts.accounts(by.realmId, ids);
    return ids.flatMap((id) => bots.get(id) ?? []);
  }
}
