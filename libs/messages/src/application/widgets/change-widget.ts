import type { Work } from '@annals/kernel';
import { UnitOfWork } from '@annals/kernel';
import type { Actor, MessageId } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { messageAggregate } from '../../domain/message/message';
import { reject } from '../../domain/rejections';
import type { Changing } from '../../domain/widgets/widget';
import { changeWidget, isNearlyFull, widgetAggregate } from '../../domain/widgets/widget';
import type { WidgetChange } from '../../domain/widgets/widget-change';
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
      await this.add(work, change, { messageId, userId });
      await this.participation.reacted(work, place);
    });
  }

  /** Many people vote at the same time. Their votes do not wait for each other until the widget is nearly full. */
  private async add(work: Work, change: WidgetChange, by: Changing): Promise<void> {
    const { messageId } = by;
    const size = await work.peek(widgetAggregate, messageId);
    if (isNearlyFull(size)) await work.decide(widgetAggregate, messageId, (exact) => changeWidget(exact, change, by));
    else work.append(widgetAggregate.stream(messageId), changeWidget(size, change, by));
  }
}
