import { UnitOfWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { ScheduledId } from '../domain/events';
import { deleteReminder, reminderAggregate } from '../domain/reminder';

/** contract/scheduling.md section 8 */
export class DeleteReminder extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly id: ScheduledId,
  ) {
    super();
  }
}

@CommandHandler(DeleteReminder)
export class DeleteReminderHandler implements ICommandHandler<DeleteReminder> {
  constructor(private readonly work: UnitOfWork) {}

  async execute({ by, id }: DeleteReminder): Promise<void> {
    await this.work.run(by, (work) => work.decide(reminderAggregate, id, (state) => deleteReminder(state, by.userId)));
  }
}
