import type { CheckpointedReader, Kernel } from '@annals/kernel';
import type { Instant, RealmId, Recorded } from '@annals/kernel/domain';
import { DAY_MS } from '@annals/kernel/domain';
import {
  MessageScheduled,
  ReminderDeleted,
  ReminderSet,
  ScheduledMessageChanged,
  ScheduledMessageDeleted,
} from '../domain/events';

/** Queues that wake a worker when something is due. */
export const QUEUES = { messages: 'scheduled-messages', reminders: 'reminders' } as const;

const QUEUE_OF: Readonly<Record<string, string>> = {
  [MessageScheduled.type]: QUEUES.messages,
  [ScheduledMessageChanged.type]: QUEUES.messages,
  [ReminderSet.type]: QUEUES.reminders,
};

/** Events after which nothing is due at a time any more. Jobs of other finished rows have run or are about to. */
const WITHDRAWN: readonly string[] = [ScheduledMessageDeleted.type, ReminderDeleted.type];

/**
 * Stores of queues support smaller numbers of milliseconds than users can plan. Reading due rows by the clock has no
 * such limit.
 */
const LONGEST_MS = 10 * 365 * DAY_MS;

/** Jobs that are added, or removed, at once. */
const AT_ONCE = 100;

/**
 * Reads the log and adds a job at the time of each scheduled message and reminder, which wakes a worker, and removes it
 * when that is deleted. Nothing depends on it: without a job, due rows are found up to a second later, and an outdated
 * job finds nothing.
 */
export const dueJobs = (kernel: Kernel): CheckpointedReader => ({
  name: 'due-jobs',
  begins: 'beginning',
  concerns: ({ type }) => type in QUEUE_OF || WITHDRAWN.includes(type),
  handle: async (page) => {
    const planned = page.filter(({ type }) => type in QUEUE_OF);
    const withdrawn = page.filter(({ type }) => WITHDRAWN.includes(type));
    if (planned.length + withdrawn.length === 0) return;
    const queues = await kernel.queues();
    const now = kernel.clock.now();
    await untilMissed(planned, (event) => {
      const { realmId, type, data } = event as Recorded & { data: { dueAt: Instant } };
      const delay = Math.min(data.dueAt - now, LONGEST_MS);
      return queues.add(QUEUE_OF[type] ?? '', jobOf(event), { realmId }, { delay, attempts: 1 });
    });
    const over: Recorded[] = [];
    for (const { realmId, stream } of withdrawn) over.push(...(await kernel.events.stream(realmId, stream)));
    await untilMissed(
      over.filter(({ type }) => type in QUEUE_OF),
      (event) => queues.remove(QUEUE_OF[event.type] ?? '', jobOf(event)),
    );
  },
});

/**
 * Stops if the store of the queues does not answer in time: all followers of the organization share this transaction,
 * and would wait for each job again.
 */
async function untilMissed(events: readonly Recorded[], ask: (event: Recorded) => Promise<boolean>): Promise<void> {
  for (let from = 0; from < events.length; from += AT_ONCE) {
    const known = await Promise.all(events.slice(from, from + AT_ONCE).map(ask));
    if (known.includes(false)) return;
  }
}

const jobOf = ({ realmId, position }: Pick<Recorded, 'realmId' | 'position'>): string => `due-${realmId}-${position}`;

/**
 * The organization of a job.
 *
 * @throws TypeError for data that name none, so that the job counts as failed
 */
export function realmOfJob({ realmId }: Readonly<Record<string, unknown>>): RealmId {
  if (!Number.isSafeInteger(realmId)) throw new TypeError('a job names no organization');
  return realmId as RealmId;
}
