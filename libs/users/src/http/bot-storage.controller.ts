import type { Actor } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import { By, Endpoint, JsonParam, Params } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { RemoveFromBotStorage, UpdateBotStorage } from '../application/bot/bot-storage';
import { GetBotStorage } from '../read/bot/get-bot-storage';

const entries = t.Record(t.String(), t.String(), { description: 'Values by key.' });

class StorageKeysParams {
  @JsonParam(t.Array(t.String()), { about: 'None for all.' }) keys: readonly string[] = [];
}

class UpdateStorageParams {
  @JsonParam(entries) storage: Readonly<Record<string, string>>;
}

@Controller()
export class BotStorageController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** contract/whole-interface.md section 1, like all of these */
  @Endpoint('GET', 'bot_storage', {
    audience: 'bots',
    section: 'whole-interface 1',
    summary: 'Read what the bot has stored',
    returns: t.Object({ storage: entries }),
  })
  async read(@By() by: Actor, @Params(StorageKeysParams) { keys }: StorageKeysParams) {
    const found = await this.queries.execute(new GetBotStorage(by, keys));
    return { storage: Object.fromEntries(found.map(({ key, value }) => [key, value])) };
  }

  @Endpoint('PUT', 'bot_storage', {
    audience: 'bots',
    section: 'whole-interface 1',
    summary: 'Store something for the bot',
    command: 'UpdateBotStorage',
    returns: null,
  })
  async update(@By() by: Actor, @Params(UpdateStorageParams) { storage }: UpdateStorageParams): Promise<void> {
    await this.commands.execute(new UpdateBotStorage(by, storage));
  }

  @Endpoint('DELETE', 'bot_storage', {
    audience: 'bots',
    section: 'whole-interface 1',
    summary: 'Delete what the bot has stored',
    command: 'RemoveFromBotStorage',
    returns: null,
  })
  async remove(@By() by: Actor, @Params(StorageKeysParams) { keys }: StorageKeysParams): Promise<void> {
    await this.commands.execute(new RemoveFromBotStorage(by, keys));
  }
}
