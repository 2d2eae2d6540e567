import type { Actor } from '@annals/kernel/domain';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { EmojiRow } from './custom-emoji';
import { CustomEmojiFacts } from './custom-emoji-facts';

/** Custom emoji, also deactivated ones (contract/messages.md section 7). */
export class ListEmoji extends Query<readonly EmojiRow[]> {
  constructor(readonly by: Actor) {
    super();
  }
}

@QueryHandler(ListEmoji)
export class ListEmojiHandler implements IQueryHandler<ListEmoji> {
  constructor(private readonly emoji: CustomEmojiFacts) {}

  execute({ by }: ListEmoji): Promise<readonly EmojiRow[]> {
    return this.emoji.of(by.realmId);
  }
}
