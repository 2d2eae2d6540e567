import { UnitOfWork } from '@annals/kernel';
import type { Actor, MessageId } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { messageAggregate } from '../../domain/message/message';
import { reject } from '../../domain/rejections';
import { changeWidget, widgetAggregate } from '../../domain/widgets/widget';
import { widgetChange } from '../../domain/widgets/widget-change';
import { MessageAccess } from '../access/message-access';
import { TopicParticipation } from '../access/topic-participation';

/** Changes the poll or the to-do list of a message (contract/whole-interface.md section 2). */
export class ChangeWidget extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly messageId: MessageId,
    /** The change as JSON. */
    readonly content: string,
  ) {
    super();
  }
}

@CommandHandler(ChangeWidget)
export class ChangeWidgetHandler implements ICommandHandler<ChangeWidget> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly access: MessageAccess,
    private readonly participation: TopicParticipation,
  ) {}

  async execute({ by, messageId, content }: ChangeWidget): Promise<void> {
    await this.work.run(by, async (work) => {
      const place = await this.access.ensure(work, messageId);
      const message = await work.read(messageAggregate, messageId);
      if (!message?.widget || message.widget === 'zform') throw reject.noWidget();
      const { userId } = work.actor;
      const change = widgetChange(message.widget, content, message.senderId === userId);
      await work.decide(widgetAggregate, messageId, (size) => changeWidget(size, change, { messageId, userId }));
      await this.participation.reacted(work, place);
    });
  }
}
