import type { FactCache } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { EmojiRow } from './custom-emoji';
import { readCustomEmoji } from './custom-emoji';

const ALL = 'emoji';

/** The organization's custom emoji, cached in the process. Exact after the fence. */
@Injectable()
export class CustomEmojiFacts {
  private readonly emoji: FactCache<readonly EmojiRow[]>;

  constructor(kernel: Kernel) {
    this.emoji = kernel.facts<readonly EmojiRow[]>({
      touched: ({ type }) => (type.startsWith('realm.Emoji') ? [ALL] : []),
      load: async (realmId) => new Map([[ALL, await readCustomEmoji(kernel.database.pool, realmId)]]),
    });
  }

  /** Also deactivated ones. */
  async of(realmId: RealmId): Promise<readonly EmojiRow[]> {
    return (await this.emoji.get(realmId, ALL)) ?? [];
  }

  /** The active one with this name. */
  async active(realmId: RealmId, name: string): Promise<EmojiRow | undefined> {
    return (await this.of(realmId)).find((one) => one.name === name && one.deactivatedPosition === null);
  }
}
