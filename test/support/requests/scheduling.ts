import type { Kernel } from '@annals/kernel';
import { fact } from '@annals/kernel/domain';
import { MessageScheduled } from '@annals/scheduling';
import type { Params } from '../server/caller';
import { granted } from '../server/caller';
import type { Person } from '../server/organization';
import type { TestServer } from '../server/server';
import { bySystem } from '../server/system';

/** A scheduled message on the wire. */
export type Scheduled = Record<string, unknown> & { readonly scheduled_message_id: number };
/** A reminder on the wire. */
export type ReminderRecord = Record<string, unknown> & { readonly reminder_id: number };

/** UNIX seconds so many minutes from now. */
export const inMinutes = ({ clock }: TestServer, minutes: number): number =>
  Math.floor(clock.now() / 1_000) + minutes * 60;

/** Schedules a message, by default to a channel. */
export const schedule = (by: Person, params: Params) =>
  by.post<{ scheduled_message_id: number }>('/scheduled_messages', {
    type: 'channel',
    topic: 'lunch',
    content: 'later',
    ...params,
  });

/** @throws Error when it was refused */
export const scheduledId = async (scheduling: ReturnType<typeof schedule>) =>
  granted(await scheduling).scheduled_message_id;

export const scheduledOf = async (by: Person) =>
  granted(await by.get<{ scheduled_messages: Scheduled[] }>('/scheduled_messages')).scheduled_messages;

export const remindersOf = async (by: Person) =>
  granted(await by.get<{ reminders: ReminderRecord[] }>('/reminders')).reminders;

/** Stores many scheduled messages of a user to themselves, due in a hundred years, with one append. */
export async function scheduleMany(kernel: Kernel, { id: userId }: Pick<Person, 'id'>, count: number): Promise<void> {
  const dueAt = Date.UTC(2126, 0, 1);
  const data = { userId, target: { userIds: [userId] }, dueAt, readBySender: true };
  await bySystem(kernel, (work) => {
    for (let n = 1; n <= count; n += 1) work.open('scheduled', fact(MessageScheduled, data, { content: `later ${n}` }));
  });
}
