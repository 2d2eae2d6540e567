import type { Instant, Position, Recorded, UserId } from '@annals/kernel/domain';
import { defineAggregate, fact } from '@annals/kernel/domain';
import type { FailureReason, ScheduledId, ScheduledMessageEvent, Target, ScheduledText } from './events';
import {
  EVENT_BEFORE,
  MessageScheduled,
  ScheduledMessageChanged,
  ScheduledMessageDeleted,
  ScheduledMessageFailed,
  ScheduledMessageSent,
  scheduledIdAt,
} from './events';
import { reject } from './rejections';

/** Text, destination and time of a scheduled message. */
export interface DeliveryPlan {
  readonly target: Target;
  readonly dueAt: Instant;
  readonly readBySender: boolean;
  readonly words: ScheduledText;
}

export type ScheduledMessageStatus = 'waiting' | 'failed' | 'sent';

/** A scheduled message as rules need it. Null when there is none, or it was deleted. */
export interface ScheduledMessage {
  readonly id: ScheduledId;
  readonly userId: UserId;
  readonly target: Target;
  readonly dueAt: Instant;
  readonly readBySender: boolean;
  /** Null once they were erased. */
  readonly words: ScheduledText | null;
  /** Position of the event that contains them. */
  readonly wordsAt: Position;
  readonly status: ScheduledMessageStatus;
}

export const scheduledMessageAggregate = defineAggregate<ScheduledMessage | null, ScheduledMessageEvent, ScheduledId>(
  'scheduled',
  null,
  (state, event) => {
    switch (event.type) {
      case 'scheduling.MessageScheduled':
        return { id: scheduledIdAt(event.position), userId: event.data.userId, ...planOf(event) };
      case 'scheduling.ScheduledMessageChanged':
        return state && { ...state, ...planOf(event) };
      case 'scheduling.ScheduledMessageDeleted':
        return null;
      case 'scheduling.ScheduledMessageSent':
        return state && { ...state, status: 'sent' };
      case 'scheduling.ScheduledMessageFailed':
        return state && { ...state, status: 'failed' };
    }
  },
);

function planOf({ data, sealed, position }: Recorded<MessageScheduled> | Recorded<ScheduledMessageChanged>) {
  return {
    target: data.target,
    dueAt: data.dueAt as Instant,
    readBySender: data.readBySender,
    words: sealed === 'erased' ? null : sealed,
    wordsAt: position,
    status: 'waiting' as const,
  };
}

/** @throws Rejected BAD_REQUEST for a time that is not in the future (contract/scheduling.md sections 3 and 4) */
export function ensureFuture(dueAt: Instant, now: Instant): void {
  if (dueAt <= now) throw reject.notInTheFuture();
}

/** Most waiting or failed messages and reminders of one account: its clients load all at the start. */
export const MAX_SCHEDULED = 1_000;

/** @param present number of those of the account @throws Rejected BAD_REQUEST when one more is too many */
export function ensureRoom(present: number): void {
  if (present >= MAX_SCHEDULED) throw reject.tooManyScheduled({ limit: MAX_SCHEDULED });
}

/** The caller checks whether it may be sent. */
export const schedule = (userId: UserId, { words, ...plan }: DeliveryPlan): MessageScheduled =>
  fact(MessageScheduled, { userId, ...plan }, words);

/**
 * The message, if its author may still change it.
 *
 * @param newTime whether the change has one
 * @throws Rejected in the order of contract/scheduling.md section 4, checks 4 to 6
 */
export function changeableMessage(state: ScheduledMessage | null, by: UserId, newTime: boolean): ScheduledMessage {
  if (!state || state.userId !== by) throw reject.unknownScheduledMessage();
  if (state.status === 'sent') throw reject.alreadySent();
  if (state.status === 'failed' && !newTime) throw reject.needsNewTime();
  return state;
}

/** Also an event when nothing changes: clients receive one in any case, and a failed message waits again. */
export const change = (
  { id, userId }: ScheduledMessage,
  { words, ...plan }: DeliveryPlan,
): ScheduledMessageChanged[] => [fact(ScheduledMessageChanged, { scheduledId: id, userId, ...plan }, words)];

/**
 * Deletes a scheduled message, also one that was sent: the message that it became remains (contract/scheduling.md
 * section 5).
 *
 * @throws Rejected when the user has no such message
 */
export function deleteScheduled(state: ScheduledMessage | null, by: UserId): ScheduledMessageDeleted[] {
  if (!state || state.userId !== by) throw reject.unknownScheduledMessage();
  return [fact(ScheduledMessageDeleted, { scheduledId: state.id, userId: by })];
}

/** Whether it is due and not sent, deleted or failed. */
export const isDue = (state: ScheduledMessage | null, now: Instant): state is ScheduledMessage =>
  state !== null && state.status === 'waiting' && state.dueAt <= now;

/** The event right before it in the same append is the message that it became. */
export const sent = ({ id, userId }: ScheduledMessage): ScheduledMessageSent[] => [
  fact(ScheduledMessageSent, { scheduledId: id, userId, messageId: EVENT_BEFORE }),
];

/** @param reason shown to its author */
export const failed = (
  { id, userId, wordsAt }: ScheduledMessage,
  failure: FailureReason,
  reason: string,
): ScheduledMessageFailed[] => [
  fact(ScheduledMessageFailed, { scheduledId: id, userId, failure, wordsAt }, { reason }),
];
