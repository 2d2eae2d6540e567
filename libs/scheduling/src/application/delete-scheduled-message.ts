import { UnitOfWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { ScheduledId } from '../domain/events';
import { deleteScheduled, scheduledMessageAggregate } from '../domain/scheduled-message';

/** Deletes a scheduled message of the actor (contract/scheduling.md section 5). */
export class DeleteScheduledMessage extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly id: ScheduledId,
  ) {
    super();
  }
}

@CommandHandler(DeleteScheduledMessage)
export class DeleteScheduledMessageHandler implements ICommandHandler<DeleteScheduledMessage> {
  constructor(private readonly work: UnitOfWork) {}

  async execute({ by, id }: DeleteScheduledMessage): Promise<void> {
    await this.work.run(by, (work) =>
      work.decide(scheduledMessageAggregate, id, (state) => deleteScheduled(state, by.userId)),
    );
  }
}
