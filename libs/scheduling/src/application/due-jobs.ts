import { Kernel } from '@annals/kernel';
import type { Instant, RealmId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { ScheduledId } from '../domain/events';

/** Queues that wake a worker when something is due. */
export const QUEUES = { messages: 'scheduled-messages', reminders: 'reminders' } as const;

/** Wakes a worker at the time of what is due; one that is not woken finds it with its next look at the clock. */
@Injectable()
export class DueJobs {
  constructor(private readonly kernel: Kernel) {}

  /** Nobody waits for it, and nothing is lost when it fails. */
  wakeAt(queue: (typeof QUEUES)[keyof typeof QUEUES], realmId: RealmId, id: ScheduledId, dueAt: Instant): void {
    const delay = Math.min(dueAt - this.kernel.clock.now(), LONGEST_MS);
    void this.add(queue, `due-${realmId}-${id}-${dueAt}`, { realmId }, delay);
  }

  private async add(queue: string, jobId: string, data: { realmId: RealmId }, delay: number): Promise<void> {
    const queues = await this.kernel.queues();
    await queues.add(queue, jobId, data, { delay });
  }
}

/** Stores of queues count milliseconds in fewer digits than people plan; the sweep has no such limit. */
const LONGEST_MS = 10 * 365 * 24 * 3_600_000;
