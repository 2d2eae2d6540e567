import { Kernel } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { ensureAllFound, sizeAfterWriting, sizeWithout, sizedEntries } from '../../domain/bot-storage/bot-storage';
import { clearStorage, deleteEntries, lockStorage, sizeOfEntries, writeEntries } from '../../read/bot/bot-storage-rows';

/** Adds entries to the storage of the acting bot, or replaces them (contract/whole-interface.md section 1). */
export class UpdateBotStorage extends Command<void> {
  constructor(
    readonly by: Actor,
    /** Values by key. */
    readonly storage: Readonly<Record<string, string>>,
  ) {
    super();
  }
}

@CommandHandler(UpdateBotStorage)
export class UpdateBotStorageHandler implements ICommandHandler<UpdateBotStorage> {
  constructor(private readonly kernel: Kernel) {}

  /** @throws Rejected BAD_REQUEST for more than a bot may store. Then nothing is stored */
  async execute({ by, storage }: UpdateBotStorage): Promise<void> {
    const entries = sizedEntries(storage);
    if (entries.length === 0) return;
    const keys = entries.map(({ key }) => key);
    await this.kernel.database.transaction('BEGIN', async (client) => {
      const stored = await lockStorage(client, by);
      const size = sizeAfterWriting(stored, await sizeOfEntries(client, by, keys), entries);
      await writeEntries(client, by, entries, size);
    });
  }
}

/** Deletes entries of the storage of the acting bot (contract/whole-interface.md section 1). */
export class RemoveFromBotStorage extends Command<void> {
  constructor(
    readonly by: Actor,
    /** None for all. */
    readonly keys: readonly string[],
  ) {
    super();
  }
}

@CommandHandler(RemoveFromBotStorage)
export class RemoveFromBotStorageHandler implements ICommandHandler<RemoveFromBotStorage> {
  constructor(private readonly kernel: Kernel) {}

  /** @throws Rejected BAD_REQUEST for a key that the bot has not stored. Then nothing is deleted */
  async execute({ by, keys }: RemoveFromBotStorage): Promise<void> {
    await this.kernel.database.transaction('BEGIN', async (client) => {
      const stored = await lockStorage(client, by);
      if (keys.length === 0) return clearStorage(client, by);
      const removed = await sizeOfEntries(client, by, keys);
      ensureAllFound(keys, removed.entries);
      return deleteEntries(client, by, keys, sizeWithout(stored, removed));
    });
  }
}
