import { Kernel, UnitOfWork } from '@annals/kernel';
import type { Actor, MessageId } from '@annals/kernel/domain';
import { emojiAggregate } from '@annals/realm';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { EmojiInput } from '../../domain/reaction/emoji-choice';
import { chosenToAdd, chosenToRemove } from '../../domain/reaction/emoji-choice';
import { addReaction, reactionKey, reactionsAggregate, removeReaction } from '../../domain/reaction/reaction';
import { emojiUnder } from '../../read/reactions/reactions';
import { EmojiFacts } from './emoji-facts';
import { emojiNameGuard, emojiNameKey, emojiUnderKey } from '../access/guards';
import { MessageAccess } from '../access/message-access';
import { TopicParticipation } from '../access/topic-participation';

/** Adds an emoji to a message (INTERFACE.md 4.14). */
export class AddReaction extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly messageId: MessageId,
    readonly input: EmojiInput,
  ) {
    super();
  }
}

@CommandHandler(AddReaction)
export class AddReactionHandler implements ICommandHandler<AddReaction> {
  constructor(
    private readonly kernel: Kernel,
    private readonly work: UnitOfWork,
    private readonly access: MessageAccess,
    private readonly emoji: EmojiFacts,
    private readonly participation: TopicParticipation,
  ) {}

  async execute({ by, messageId, input }: AddReaction): Promise<void> {
    await this.work.run(by, async (work) => {
      const place = await this.access.ensure(work, messageId);
      const present = await emojiUnder(this.kernel.database.pool, work.realmId, messageId);
      const chosen = chosenToAdd(input, present, await this.emoji.known(work.realmId));
      const joins = present.includes(chosen);
      work.guard(emojiNameGuard, emojiNameKey(messageId, chosen, joins ? chosen.name : null));
      if (!joins) work.changesGuard(emojiNameGuard, emojiUnderKey(messageId, chosen));
      // The append depends on the emoji, which may be deactivated at the same time.
      if (chosen.type === 'realm_emoji') await work.read(emojiAggregate, Number(chosen.code));
      const reacting = { messageId, userId: work.actor.userId };
      await work.decide(reactionsAggregate, reactionKey(reacting), (own) => addReaction(own, chosen, reacting));
      await this.participation.reacted(work, place);
    });
  }
}

/** Removes the actor's own reaction (contract/messages.md section 7). */
export class RemoveReaction extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly messageId: MessageId,
    readonly input: EmojiInput,
  ) {
    super();
  }
}

@CommandHandler(RemoveReaction)
export class RemoveReactionHandler implements ICommandHandler<RemoveReaction> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly access: MessageAccess,
    private readonly emoji: EmojiFacts,
  ) {}

  async execute({ by, messageId, input }: RemoveReaction): Promise<void> {
    await this.work.run(by, async (work) => {
      await this.access.ensure(work, messageId);
      const known = await this.emoji.known(work.realmId);
      const reacting = { messageId, userId: work.actor.userId };
      await work.decide(reactionsAggregate, reactionKey(reacting), (own) => {
        const chosen = chosenToRemove(input, own, known);
        work.changesGuard(emojiNameGuard, emojiUnderKey(messageId, chosen));
        return removeReaction(own, chosen, reacting);
      });
    });
  }
}
