import { Kernel, UnitOfWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { readPattern, templateVariables } from '@annals/markdown';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { LinkifierInput } from '../domain/linkifiers/linkifiers';
import {
  LINKIFIERS,
  addLinkifier,
  changeLinkifier,
  linkifiersAggregate,
  removeLinkifier,
  reorderLinkifiers,
} from '../domain/linkifiers/linkifiers';
import type { PatternEngine } from '../domain/linkifiers/pattern-engine';

/** RE2 and RFC 6570. */
export const patternEngine: PatternEngine = { pattern: readPattern, variables: templateVariables };

/** Adds a linkifier behind the others (contract/whole-interface.md section 1). */
export class AddLinkifier extends Command<number> {
  constructor(
    readonly by: Actor,
    readonly input: LinkifierInput,
  ) {
    super();
  }
}

@CommandHandler(AddLinkifier)
export class AddLinkifierHandler implements ICommandHandler<AddLinkifier> {
  constructor(
    private readonly kernel: Kernel,
    private readonly work: UnitOfWork,
  ) {}

  async execute({ by, input }: AddLinkifier): Promise<number> {
    const id = await this.kernel.ids.next(by.realmId, 'linkifier');
    await this.work.run(by, async (work) => {
      await work.decide(linkifiersAggregate, LINKIFIERS, (state) =>
        addLinkifier(state, id, input, work.actor, patternEngine),
      );
    });
    return id;
  }
}

/** Changes the texts of a linkifier. Messages keep the links that they have. */
export class ChangeLinkifier extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly id: number,
    readonly input: LinkifierInput,
  ) {
    super();
  }
}

@CommandHandler(ChangeLinkifier)
export class ChangeLinkifierHandler implements ICommandHandler<ChangeLinkifier> {
  constructor(private readonly work: UnitOfWork) {}

  async execute({ by, id, input }: ChangeLinkifier): Promise<void> {
    await this.work.run(by, async (work) => {
      await work.decide(linkifiersAggregate, LINKIFIERS, (state) =>
        changeLinkifier(state, id, input, work.actor, patternEngine),
      );
    });
  }
}

/** Removes a linkifier. Messages keep the links that they have. */
export class RemoveLinkifier extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly id: number,
  ) {
    super();
  }
}

@CommandHandler(RemoveLinkifier)
export class RemoveLinkifierHandler implements ICommandHandler<RemoveLinkifier> {
  constructor(private readonly work: UnitOfWork) {}

  async execute({ by, id }: RemoveLinkifier): Promise<void> {
    await this.work.run(by, async (work) => {
      await work.decide(linkifiersAggregate, LINKIFIERS, (state) => removeLinkifier(state, id, work.actor));
    });
  }
}

/** Sets the order of all linkifiers: the first one that matches makes the link. */
export class ReorderLinkifiers extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly order: readonly number[],
  ) {
    super();
  }
}

@CommandHandler(ReorderLinkifiers)
export class ReorderLinkifiersHandler implements ICommandHandler<ReorderLinkifiers> {
  constructor(private readonly work: UnitOfWork) {}

  async execute({ by, order }: ReorderLinkifiers): Promise<void> {
    await this.work.run(by, async (work) => {
      await work.decide(linkifiersAggregate, LINKIFIERS, (state) => reorderLinkifiers(state, order, work.actor));
    });
  }
}
