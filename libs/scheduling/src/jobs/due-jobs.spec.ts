import type { Kernel } from '@annals/kernel';
import type { Instant, Position, RealmId, Recorded } from '@annals/kernel/domain';
import {
  MessageScheduled,
  ReminderDeleted,
  ReminderSet,
  ScheduledMessageChanged,
  ScheduledMessageDeleted,
} from '../domain/events';
import { dueJobs } from './due-jobs';

const REALM = 3 as RealmId;
const NOW = 1_000_000;
const event = (stream: string, type: string, position: number, data: object = {}) =>
  ({ realmId: REALM, stream, type, position: position as Position, data }) as unknown as Recorded;
const planned = (stream: string, { type }: { readonly type: string }, position: number, inMs: number) =>
  event(stream, type, position, { dueAt: (NOW + inMs) as Instant });

describe('jobs for scheduled messages', () => {
  /** The jobs that wait after a page of the log, each with its queue and its delay. */
  async function jobsAfter(log: readonly Recorded[], ...page: readonly Recorded[]): Promise<Record<string, unknown>> {
    const jobs: Record<string, unknown> = {};
    const queues = {
      add: async (queue: string, id: string, _: object, { delay }: { delay: number }) => {
        jobs[id] = [queue, delay];
        return true;
      },
      remove: async (_: string, id: string) => Reflect.deleteProperty(jobs, id),
    };
    const follower = followerWith(queues, log);
    for (const one of [log, page]) await follower.handle(one, undefined as never);
    return jobs;
  }

  const followerWith = (queues: object, log: readonly Recorded[]) => {
    const kernel = {
      clock: { now: () => NOW },
      queues: () => Promise.resolve(queues),
      events: { stream: async (_: RealmId, stream: string) => log.filter((one) => one.stream === stream) },
    };
    return dueJobs(kernel as unknown as Kernel);
  };

  const LOG = [
    planned('scheduled-1', MessageScheduled, 1, 10),
    planned('reminder-2', ReminderSet, 2, 20),
    planned('scheduled-1', ScheduledMessageChanged, 3, 30),
    planned('scheduled-4', MessageScheduled, 4, 40),
  ];

  it('are added at the scheduled time', async () => {
    expect(await jobsAfter(LOG)).toEqual({
      'due-3-1': ['scheduled-messages', 10],
      'due-3-2': ['reminders', 20],
      'due-3-3': ['scheduled-messages', 30],
      'due-3-4': ['scheduled-messages', 40],
    });
  });

  it('are all removed when the message is deleted', async () => {
    const withdrawn = await jobsAfter(
      LOG,
      event('scheduled-1', ScheduledMessageDeleted.type, 5),
      event('reminder-2', ReminderDeleted.type, 6),
    );
    expect(Object.keys(withdrawn)).toEqual(['due-3-4']);
  });

  describe('when the store of the queues does not answer', () => {
    const many = Array.from({ length: 300 }, (_, n) => planned(`scheduled-${n}`, MessageScheduled, n + 1, 10));

    /** Time after which a page no longer waits for an answer. */
    async function waits(...page: readonly Recorded[]): Promise<number> {
      const waiting: (() => void)[] = [];
      const late = () => new Promise<boolean>((resolve) => waiting.push(() => resolve(false)));
      let isOver = false;
      const handled = followerWith({ add: late, remove: late }, many).handle(page, undefined as never);
      const over = handled.then(() => (isOver = true));
      let times = 0;
      for (; !isOver; times += waiting.splice(0).map((giveUp) => giveUp()).length > 0 ? 1 : 0)
        await new Promise((resolve) => setImmediate(resolve));
      await over;
      return times;
    }

    it('delay a page once, however many they are', async () => {
      expect(await waits(...many)).toBe(1);
    });

    it('delay it once more if some are removed', async () => {
      const withdrawn = many.map(({ stream }, n) => event(stream, ScheduledMessageDeleted.type, 301 + n));
      expect(await waits(...withdrawn)).toBe(1);
      expect(await waits(...many, ...withdrawn)).toBe(2);
    });
  });
});
