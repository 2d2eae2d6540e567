import { Kernel, UnitOfWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { SnippetChange, SnippetText } from '../domain/snippet';
import { deleteSnippet, editSnippet, saveSnippet, snippetAggregate } from '../domain/snippet';
import { countSnippets } from '../read/saved-snippets';
import { snippetRoom } from './guards';

/** INTERFACE.md 4.17 */
export class SaveSnippet extends Command<number> {
  constructor(
    readonly by: Actor,
    readonly text: SnippetText,
  ) {
    super();
  }
}

@CommandHandler(SaveSnippet)
export class SaveSnippetHandler implements ICommandHandler<SaveSnippet> {
  constructor(
    private readonly kernel: Kernel,
    private readonly work: UnitOfWork,
  ) {}

  async execute({ by, text }: SaveSnippet): Promise<number> {
    const { realmId, userId } = by;
    const saved = await this.work.run(by, async (work) => {
      const present = await countSnippets(this.kernel.database.pool, realmId, userId);
      work.guard(snippetRoom, userId);
      work.changesGuard(snippetRoom, userId);
      return work.open('snippet', saveSnippet(text, userId, present));
    });
    return saved.id;
  }
}

/** contract/navigation-snippets-domains.md section 2 */
export class EditSnippet extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly snippetId: number,
    readonly change: SnippetChange,
  ) {
    super();
  }
}

@CommandHandler(EditSnippet)
export class EditSnippetHandler implements ICommandHandler<EditSnippet> {
  constructor(private readonly work: UnitOfWork) {}

  async execute({ by, snippetId, change }: EditSnippet): Promise<void> {
    await this.work.run(by, async (work) => {
      await work.decide(snippetAggregate, snippetId, (state) => editSnippet(state, change, by.userId));
    });
  }
}

/** contract/navigation-snippets-domains.md section 2 */
export class DeleteSnippet extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly snippetId: number,
  ) {
    super();
  }
}

@CommandHandler(DeleteSnippet)
export class DeleteSnippetHandler implements ICommandHandler<DeleteSnippet> {
  constructor(private readonly work: UnitOfWork) {}

  async execute({ by, snippetId }: DeleteSnippet): Promise<void> {
    await this.work.run(by, async (work) => {
      await work.decide(snippetAggregate, snippetId, (state) => deleteSnippet(state, by.userId));
    });
  }
}
