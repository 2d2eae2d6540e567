import type { Instant, MessageId, Position, UserId } from '@annals/kernel/domain';
import { defineAggregate, fact } from '@annals/kernel/domain';
import type { Failure, ReminderEvent, ReminderWords, ScheduledId } from './events';
import { EVENT_BEFORE, ReminderDeleted, ReminderDelivered, ReminderFailed, ReminderSet, scheduledIdAt } from './events';
import { reject } from './rejections';

/** Code points (contract/boot.md, `max_reminder_note_length`). */
export const MAX_NOTE_LENGTH = 1_000;

/** Milliseconds until a reminder is due that names no time (INTERFACE.md 4.20). */
export const DUE_AFTER_MS = 3_600_000;

/** A reminder as rules need it; null when there is none, or it was deleted. */
export interface Reminder {
  readonly id: ScheduledId;
  readonly userId: UserId;
  readonly messageId: MessageId | null;
  readonly dueAt: Instant;
  /** Null once they were erased. */
  readonly words: ReminderWords | null;
  readonly wordsAt: Position;
  readonly status: 'waiting' | 'failed' | 'delivered';
}

export const reminderAggregate = defineAggregate<Reminder | null, ReminderEvent, ScheduledId>(
  'reminder',
  null,
  (state, event) => {
    switch (event.type) {
      case 'scheduling.ReminderSet': {
        const { userId, messageId, dueAt } = event.data;
        const words = event.sealed === 'erased' ? null : event.sealed;
        const id = scheduledIdAt(event.position);
        const wordsAt = event.position;
        return { id, userId, messageId, dueAt: dueAt as Instant, words, wordsAt, status: 'waiting' };
      }
      case 'scheduling.ReminderDeleted':
        return null;
      case 'scheduling.ReminderDelivered':
        return state && { ...state, status: 'delivered' };
      case 'scheduling.ReminderFailed':
        return state && { ...state, status: 'failed' };
    }
  },
);

/**
 * What somebody noted, as it is stored; undefined for none (contract/scheduling.md section 8).
 *
 * @throws Rejected BAD_REQUEST when it is too long, or is missing where there is no message
 */
export function noteOf(written: string | undefined, ofMessage: boolean): string | undefined {
  const note = (written ?? '').trimEnd().replace(/^[\r\n]+/, '');
  if (note === '') {
    if (!ofMessage) throw reject.reminderWithoutPurpose();
    return undefined;
  }
  if ([...note].length > MAX_NOTE_LENGTH) throw reject.noteTooLong({ max: MAX_NOTE_LENGTH });
  return note;
}

/** @param messageId which message it is about; null for a note to oneself */
export const setReminder = (
  userId: UserId,
  messageId: MessageId | null,
  dueAt: Instant,
  words: ReminderWords,
): ReminderSet => fact(ReminderSet, { userId, messageId, dueAt }, words);

export function deleteReminder(state: Reminder | null, by: UserId): ReminderDeleted[] {
  if (!state || state.userId !== by || state.status === 'delivered') throw reject.unknownReminder();
  return [fact(ReminderDeleted, { reminderId: state.id, userId: by })];
}

/** Whether its time has come; reminders are never too late. */
export const isReminderDue = (state: Reminder | null, now: Instant): state is Reminder =>
  state !== null && state.status === 'waiting' && state.dueAt <= now;

/** The message just before in the same append is what became of it. */
export const delivered = ({ id, userId }: Reminder): ReminderDelivered[] => [
  fact(ReminderDelivered, { reminderId: id, userId, deliveredAs: EVENT_BEFORE }),
];

export const reminderFailed = ({ id, userId }: Reminder, failure: Failure): ReminderFailed[] => [
  fact(ReminderFailed, { reminderId: id, userId, failure }),
];
