import { Kernel, UnitOfWork } from '@annals/kernel';
import type { Actor, Instant } from '@annals/kernel/domain';
import type { Destination } from '@annals/messages';
import { Sender } from '@annals/messages';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { ScheduledId } from '../domain/events';
import { scheduledIdAt } from '../domain/events';
import { ensureFuture, schedule } from '../domain/scheduled-message';
import { holdRoom } from './guards';
import { plannedOf } from './planned';

/** Schedules a message for a later time (contract/scheduling.md section 3). */
export class ScheduleMessage extends Command<ScheduledId> {
  constructor(
    readonly by: Actor,
    readonly to: Destination,
    /** As it was written. */
    readonly content: string,
    readonly dueAt: Instant,
    readonly readBySender: boolean,
  ) {
    super();
  }
}

@CommandHandler(ScheduleMessage)
export class ScheduleMessageHandler implements ICommandHandler<ScheduleMessage> {
  constructor(
    private readonly kernel: Kernel,
    private readonly work: UnitOfWork,
    private readonly sender: Sender,
  ) {}

  async execute({ by, to, content, dueAt, readBySender }: ScheduleMessage): Promise<ScheduledId> {
    ensureFuture(dueAt, this.kernel.clock.now());
    const opened = await this.work.run(by, async (work) => {
      const draft = await this.sender.draft(work, to, content);
      await holdRoom(work, this.kernel);
      return work.open('scheduled', schedule(work.actor.userId, { ...plannedOf(draft), dueAt, readBySender }));
    });
    return scheduledIdAt(opened.id);
  }
}
