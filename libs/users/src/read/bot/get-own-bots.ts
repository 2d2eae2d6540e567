import { Kernel } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import { UserFacts } from '../account/user-facts';
import type { UserRow } from '../account/user-row';
import { readActiveBots } from '../account/user-row';
import type { BotService } from './bot-services';
import { readBotServices } from './bot-services';

/** A bot with the service behind it. */
export interface OwnBot extends UserRow {
  readonly service: BotService | undefined;
}

/** The active bots of the actor (contract/users.md section 7). */
export class GetOwnBots extends Query<OwnBot[]> {
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

  async execute({ by }: GetOwnBots): Promise<OwnBot[]> {
    const { pool } = this.kernel.database;
    const ids = await readActiveBots(pool, by.realmId, by.userId);
    const services = await readBotServices(pool, by.realmId, ids);
    const bots = await this.facts.accounts(by.realmId, ids);
    return ids.flatMap((id) => {
      const bot = bots.get(id);
      return bot ? [{ ...bot, service: services.get(id) }] : [];
    });
  }
}
