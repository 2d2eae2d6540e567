import type { Params } from '../server/caller';
import { granted } from '../server/caller';
import type { Person } from '../server/organization';
import type { TestServer } from '../server/server';

/** A scheduled message on the wire. */
export type Scheduled = Record<string, unknown> & { readonly scheduled_message_id: number };
/** A reminder on the wire. */
export type ReminderRecord = Record<string, unknown> & { readonly reminder_id: number };

/** UNIX seconds so many minutes from now. */
export const inMinutes = ({ clock }: TestServer, minutes: number): number =>
  Math.floor(clock.now() / 1_000) + minutes * 60;

/** Schedules a message to a channel, unless wished otherwise. */
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
