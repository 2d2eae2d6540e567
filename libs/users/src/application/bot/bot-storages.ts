import { Kernel } from '@annals/kernel';
import { Injectable } from '@nestjs/common';
import { sizeAfterWriting, sizedEntries } from '../../domain/bot-storage/bot-storage';
import type { StoringBot } from '../../read/bot/bot-storage-rows';
import { lockStorage, readStorage, sizeOfEntries, writeEntries } from '../../read/bot/bot-storage-rows';

/** The storage of bots that the server itself runs. */
@Injectable()
export class BotStorages {
  constructor(private readonly kernel: Kernel) {}

  /**
   * Changes entries while nobody else changes the storage of the bot.
   *
   * @param keys of the entries that the change depends on
   * @param change may act before the entries are written. Null changes nothing
   * @throws Rejected BAD_REQUEST for more than a bot may store
   */
  async change(
    bot: StoringBot,
    keys: readonly string[],
    change: (stored: ReadonlyMap<string, string>) => Promise<Readonly<Record<string, string>> | null>,
  ): Promise<void> {
    await this.kernel.database.transaction('BEGIN', async (client) => {
      const size = await lockStorage(client, bot);
      const stored = await readStorage(client, bot, keys);
      const changed = await change(new Map(stored.map(({ key, value }) => [key, value])));
      if (changed === null) return;
      const entries = sizedEntries(changed);
      const replaced = await sizeOfEntries(client, bot, Object.keys(changed));
      await writeEntries(client, bot, entries, sizeAfterWriting(size, replaced, entries));
    });
  }
}
