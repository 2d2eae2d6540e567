import { Kernel, UnitOfWork } from '@annals/kernel';
import type { Actor, Instant, MessageId } from '@annals/kernel/domain';
import { withEmojiTable } from '@annals/messages';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { ScheduledId } from '../domain/events';
import { scheduledIdAt } from '../domain/events';
import { DUE_AFTER_MS, noteOf, setReminder } from '../domain/reminder';
import { ensureFuture } from '../domain/scheduled-message';
import { holdRoom } from './guards';
import { ReminderTexts } from './reminder-texts';

/** Sets a reminder of a message or of a note (contract/scheduling.md section 8, INTERFACE.md 4.20). */
export class SetReminder extends Command<ScheduledId> {
  constructor(
    readonly by: Actor,
    readonly messageId: MessageId | null,
    /** Left out: an hour from now. */
    readonly dueAt: Instant | undefined,
    /** As it was written. */
    readonly note: string | undefined,
  ) {
    super();
  }
}

@CommandHandler(SetReminder)
export class SetReminderHandler implements ICommandHandler<SetReminder> {
  constructor(
    private readonly kernel: Kernel,
    private readonly work: UnitOfWork,
    private readonly texts: ReminderTexts,
  ) {}

  async execute(command: SetReminder): Promise<ScheduledId> {
    const { by, messageId } = command;
    const note = noteOf(command.note, messageId !== null);
    const now = this.kernel.clock.now();
    const dueAt = command.dueAt ?? ((now + DUE_AFTER_MS) as Instant);
    ensureFuture(dueAt, now);
    const opened = await this.work.run(by, async (work) => {
      const text = await this.texts.of(work.actor, messageId, note);
      const words = { ...withEmojiTable(text), ...(note !== undefined && { note }) };
      await holdRoom(work, this.kernel);
      const [set, noted] = setReminder(work.actor.userId, messageId, dueAt, words);
      const reminder = work.open('reminder', set);
      if (noted) work.open('note', noted);
      return reminder;
    });
    return scheduledIdAt(opened.id);
  }
}
