import { UnitOfWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { deactivateEmoji, emojiAggregate } from '../domain/emoji';
import { reject } from '../domain/rejections';
import { CustomEmojiFacts } from '../read/custom-emoji-facts';

/** Deactivates a custom emoji (contract/messages.md section 7). */
export class DeactivateEmoji extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly name: string,
  ) {
    super();
  }
}

@CommandHandler(DeactivateEmoji)
export class DeactivateEmojiHandler implements ICommandHandler<DeactivateEmoji> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly emoji: CustomEmojiFacts,
  ) {}

  async execute({ by, name }: DeactivateEmoji): Promise<void> {
    await this.work.run(by, async (work) => {
      const found = await this.emoji.active(work.realmId, name);
      if (!found) throw reject.noSuchEmoji();
      await work.decide(emojiAggregate, found.id, (state) => deactivateEmoji(state, found.id, work.actor));
    });
  }
}
