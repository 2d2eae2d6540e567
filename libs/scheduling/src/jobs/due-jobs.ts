import type { CheckpointedReader, Kernel } from '@annals/kernel';
import type { Instant, RealmId, Recorded } from '@annals/kernel/domain';
import { MessageScheduled, ReminderSet, ScheduledMessageChanged } from '../domain/events';

/** Queues that wake a worker when something is due. */
export const QUEUES = { messages: 'scheduled-messages', reminders: 'reminders' } as const;

const QUEUE_OF: Readonly<Record<string, string>> = {
  [MessageScheduled.type]: QUEUES.messages,
  [ScheduledMessageChanged.type]: QUEUES.messages,
  [ReminderSet.type]: QUEUES.reminders,
};

/** Stores of queues count milliseconds in fewer digits than people plan; a look at the clock has no such limit. */
const LONGEST_MS = 10 * 365 * 24 * 3_600_000;

/**
 * Reads the log and puts a job for the time of whatever was planned, so that a worker is woken then. Nothing depends on
 * it: what is due is found without any job, only up to a second later.
 */
export const dueJobs = (kernel: Kernel): CheckpointedReader => ({
  name: 'due-jobs',
  begins: 'beginning',
  handle: async (page) => {
    const planned = page.filter(({ type }) => type in QUEUE_OF);
    if (planned.length === 0) return;
    const queues = await kernel.queues();
    const now = kernel.clock.now();
    for (const event of planned) {
      const { realmId, position, type, data } = event as Recorded & { data: { dueAt: Instant } };
      const delay = Math.min(data.dueAt - now, LONGEST_MS);
      await queues.add(QUEUE_OF[type] ?? '', `due-${realmId}-${position}`, { realmId }, { delay, attempts: 1 });
    }
  },
});

/** Whose organization a job is about. */
export const realmOf = (data: Readonly<Record<string, unknown>>): RealmId => data['realmId'] as RealmId;
