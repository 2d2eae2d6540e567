import { Kernel } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { StorageEntry } from '../../domain/bot-storage/bot-storage';
import { ensureAllFound } from '../../domain/bot-storage/bot-storage';
import { readStorage } from './bot-storage-rows';

/** What the acting bot has stored (contract/whole-interface.md section 1). In a past there is nothing. */
export class GetBotStorage extends Query<StorageEntry[]> {
  constructor(
    readonly by: Actor,
    /** None for all. */
    readonly keys: readonly string[],
  ) {
    super();
  }
}

@QueryHandler(GetBotStorage)
export class GetBotStorageHandler implements IQueryHandler<GetBotStorage> {
  constructor(private readonly kernel: Kernel) {}

  /** @throws Rejected BAD_REQUEST for a key that the bot has not stored */
  async execute({ by, keys }: GetBotStorage): Promise<StorageEntry[]> {
    const { database, isPast } = this.kernel;
    const found = isPast ? [] : await readStorage(database.pool, by, keys.length === 0 ? null : keys);
    if (keys.length > 0) ensureAllFound(keys, found.length);
    return found;
  }
}
