import { Kernel, UnitOfWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { AllMarkedRead, readingStream } from '../../domain/flags/flag-events';
import { readWatermark } from '../../read/flags/watermark';
import { newestReceived } from '../../read/query/newest-received';

/**
 * Marks all messages as read (contract/messages.md section 8). Nothing is appended if no message arrived or was marked
 * as unread since the last time.
 */
export class MarkAllRead extends Command<void> {
  constructor(readonly by: Actor) {
    super();
  }
}

@CommandHandler(MarkAllRead)
export class MarkAllReadHandler implements ICommandHandler<MarkAllRead> {
  constructor(
    private readonly kernel: Kernel,
    private readonly work: UnitOfWork,
  ) {}

  async execute({ by }: MarkAllRead): Promise<void> {
    const { pool } = this.kernel.database;
    await this.work.run(by, async (work) => {
      const { userId } = work.actor;
      const { watermark, unreadSince } = await readWatermark(pool, work.actor);
      const newest = Math.max(await newestReceived(pool, work.actor), unreadSince);
      if (newest > watermark) work.append(readingStream(userId), [fact(AllMarkedRead, { userId })]);
    });
  }
}
