import { UnitOfWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { EditRequest, Edited } from './editor';
import { Editor } from './editor';

/** Changes the text of a message, its topic and its channel, as far as the request names them (INTERFACE.md 4.1). */
export class EditMessage extends Command<Edited> {
  constructor(
    readonly by: Actor,
    readonly request: EditRequest,
  ) {
    super();
  }
}

@CommandHandler(EditMessage)
export class EditMessageHandler implements ICommandHandler<EditMessage> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly editor: Editor,
  ) {}

  execute({ by, request }: EditMessage): Promise<Edited> {
    return this.work.run(by, (work) => this.editor.edit(work, request));
  }
}
