import { UnitOfWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { addAlertWords, alertWordsAggregate, removeAlertWords } from '../../domain/alert-words/alert-words';

/** Adds alert words of the actor (contract/whole-interface.md section 1). */
export class AddAlertWords extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly words: readonly string[],
  ) {
    super();
  }
}

@CommandHandler(AddAlertWords)
export class AddAlertWordsHandler implements ICommandHandler<AddAlertWords> {
  constructor(private readonly work: UnitOfWork) {}

  async execute({ by, words }: AddAlertWords): Promise<void> {
    await this.work.run(by, async (work) => {
      const { userId } = work.actor;
      await work.decide(alertWordsAggregate, userId, (state) => addAlertWords(state, userId, words));
    });
  }
}

/** Removes alert words of the actor; messages that were written before keep their flags. */
export class RemoveAlertWords extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly words: readonly string[],
  ) {
    super();
  }
}

@CommandHandler(RemoveAlertWords)
export class RemoveAlertWordsHandler implements ICommandHandler<RemoveAlertWords> {
  constructor(private readonly work: UnitOfWork) {}

  async execute({ by, words }: RemoveAlertWords): Promise<void> {
    await this.work.run(by, async (work) => {
      const { userId } = work.actor;
      await work.decide(alertWordsAggregate, userId, (state) => removeAlertWords(state, userId, words));
    });
  }
}
