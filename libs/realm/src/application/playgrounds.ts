import { Kernel, UnitOfWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { Playground } from '../domain/playgrounds/playgrounds';
import { PLAYGROUNDS, addPlayground, playgroundsAggregate, removePlayground } from '../domain/playgrounds/playgrounds';
import { patternEngine } from './linkifiers';

/** Adds a page on which code of a language can be tried (contract/whole-interface.md section 1). */
export class AddPlayground extends Command<number> {
  constructor(
    readonly by: Actor,
    readonly input: Omit<Playground, 'id'>,
  ) {
    super();
  }
}

@CommandHandler(AddPlayground)
export class AddPlaygroundHandler implements ICommandHandler<AddPlayground> {
  constructor(
    private readonly kernel: Kernel,
    private readonly work: UnitOfWork,
  ) {}

  async execute({ by, input }: AddPlayground): Promise<number> {
    const id = await this.kernel.ids.next(by.realmId, 'playground');
    await this.work.run(by, async (work) => {
      await work.decide(playgroundsAggregate, PLAYGROUNDS, (state) =>
        addPlayground(state, { id, ...input }, work.actor, patternEngine),
      );
    });
    return id;
  }
}

/** Removes a playground. */
export class RemovePlayground extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly id: number,
  ) {
    super();
  }
}

@CommandHandler(RemovePlayground)
export class RemovePlaygroundHandler implements ICommandHandler<RemovePlayground> {
  constructor(private readonly work: UnitOfWork) {}

  async execute({ by, id }: RemovePlayground): Promise<void> {
    await this.work.run(by, async (work) => {
      await work.decide(playgroundsAggregate, PLAYGROUNDS, (state) => removePlayground(state, id, work.actor));
    });
  }
}
