import { UnitOfWork } from '@annals/kernel';
import type { Actor, MessageId } from '@annals/kernel/domain';
import { messageIdAt } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { reject } from '../domain/rejections';
import { Welcomes } from './welcomes';

/** Shows an administrator what newcomers would read (contract/whole-interface.md section 1). */
export class TryOutWelcome extends Command<MessageId> {
  constructor(
    readonly by: Actor,
    /** The text for newcomers, as the request has it. */
    readonly text: string,
  ) {
    super();
  }
}

@CommandHandler(TryOutWelcome)
export class TryOutWelcomeHandler implements ICommandHandler<TryOutWelcome> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly welcomes: Welcomes,
  ) {}

  async execute({ by, text }: TryOutWelcome): Promise<MessageId> {
    if (text === '') throw reject.emptyWelcome();
    const opened = await this.work.run(by, (work) => this.welcomes.tryOut(work, text));
    return messageIdAt(opened.id);
  }
}
