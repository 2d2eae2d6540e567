import type { Instant, MessageId, Position, UserId } from '@annals/kernel/domain';
import { defineAggregate, fact, following } from '@annals/kernel/domain';
import type { FailureReason, ReminderEvent, ReminderText, ScheduledId } from './events';
import {
  EVENT_BEFORE,
  ReminderDeleted,
  ReminderDelivered,
  ReminderFailed,
  ReminderNoted,
  ReminderSet,
  scheduledIdAt,
} from './events';
import { reject } from './rejections';

/** Code points (contract/boot.md, `max_reminder_note_length`). */
export const MAX_NOTE_LENGTH = 1_000;

/** Replaces the quote of a message whose text was erased. */
export const ERASED_QUOTE = 'You asked to be reminded of a message that was deleted.';

/** Milliseconds until a reminder without a time is due (INTERFACE.md 4.20). */
export const DUE_AFTER_MS = 3_600_000;

export type ReminderStatus = 'waiting' | 'failed' | 'delivered';

/** A reminder as rules need it. Null when there is none, or it was deleted. */
export interface Reminder {
  readonly id: ScheduledId;
  readonly userId: UserId;
  readonly messageId: MessageId | null;
  readonly dueAt: Instant;
  /** Null once they were erased. */
  readonly words: ReminderText | null;
  readonly wordsAt: Position;
  /** Position of the note's own event. Null without one. */
  readonly noteAt: Position | null;
  readonly status: ReminderStatus;
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
        const noteAt = (event.data.noteAt ?? null) as Position | null;
        return { id, userId, messageId, dueAt: dueAt as Instant, words, wordsAt, noteAt, status: 'waiting' };
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
 * A note in its stored form. Undefined for none (contract/scheduling.md section 8).
 *
 * @throws Rejected BAD_REQUEST when it is too long, or is missing without a message
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

/**
 * Each event starts a stream of its own, one right after the other.
 *
 * @param messageId the message of the reminder. Null for a note
 */
export function setReminder(
  userId: UserId,
  messageId: MessageId | null,
  dueAt: Instant,
  words: ReminderText,
): readonly [ReminderSet, ReminderNoted?] {
  if (messageId === null || words.note === undefined) return [fact(ReminderSet, { userId, messageId, dueAt }, words)];
  return [
    fact(ReminderSet, { userId, messageId, dueAt, noteAt: following<Position>(1) }, words),
    fact(ReminderNoted, { reminderId: EVENT_BEFORE, userId }, { note: words.note }),
  ];
}

export function deleteReminder(state: Reminder | null, by: UserId): ReminderDeleted[] {
  if (!state || state.userId !== by || state.status === 'delivered') throw reject.unknownReminder();
  return [fact(ReminderDeleted, { reminderId: state.id, userId: by })];
}

/** Whether it is due. Reminders are never too late. */
export const isReminderDue = (state: Reminder | null, now: Instant): state is Reminder =>
  state !== null && state.status === 'waiting' && state.dueAt <= now;

/** The event right before it in the same append is the message that it became. */
export const delivered = ({ id, userId }: Reminder): ReminderDelivered[] => [
  fact(ReminderDelivered, { reminderId: id, userId, deliveredAs: EVENT_BEFORE }),
];

export const reminderFailed = ({ id, userId }: Reminder, failure: FailureReason): ReminderFailed[] => [
  fact(ReminderFailed, { reminderId: id, userId, failure }),
];
