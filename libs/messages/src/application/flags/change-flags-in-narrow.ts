import type { Actor } from '@annals/kernel/domain';
import { Command, CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { FlagChange, FlagRequest } from '../../domain/flags/flag-changes';
import type { NarrowTerm } from '../../read/narrow/narrow-terms';
import { NarrowResolver } from '../../read/narrow/narrow-resolver';
import type { FoundPage, MessagePage } from '../../read/query/message-pages';
import { MessagePages } from '../../read/query/message-pages';
import { ChangeFlags } from './change-flags';

/** The changes of a request in a page of a narrow. */
export type NarrowFlagChange = FlagChange & Pick<FoundPage, 'ids' | 'foundOldest' | 'foundNewest'>;

/**
 * Adds a flag to the messages of a page of a narrow, or removes it (contract/messages.md section 8).
 *
 * @throws Rejected BAD_NARROW when a term names something that the actor cannot access, or terms contradict each other
 */
export class ChangeFlagsInNarrow extends Command<NarrowFlagChange> {
  constructor(
    readonly by: Actor,
    readonly terms: readonly NarrowTerm[],
    readonly page: MessagePage,
    readonly request: FlagRequest,
  ) {
    super();
  }
}

@CommandHandler(ChangeFlagsInNarrow)
export class ChangeFlagsInNarrowHandler implements ICommandHandler<ChangeFlagsInNarrow> {
  constructor(
    private readonly narrows: NarrowResolver,
    private readonly pages: MessagePages,
    private readonly commands: CommandBus,
  ) {}

  async execute({ by, terms, page, request }: ChangeFlagsInNarrow): Promise<NarrowFlagChange> {
    const narrow = await this.narrows.resolve(by, terms);
    const { ids, foundOldest, foundNewest } = await this.pages.find(by, narrow, page);
    const change = await this.commands.execute(new ChangeFlags(by, ids, request));
    return { ...change, ids, foundOldest, foundNewest };
  }
}
