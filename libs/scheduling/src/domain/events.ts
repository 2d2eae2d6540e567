import type { FactOf, Id, MessageId, Position, Static, Subject, UserId } from '@annals/kernel/domain';
import { channelId, defineEvent, messageId, nullable, t, userId, words as choice } from '@annals/kernel/domain';

/** The position of its first event: scheduled messages and reminders have ids of one sequence. */
export type ScheduledId = Id<'scheduled'>;

export const scheduledIdAt = (position: Position): ScheduledId => position as number as ScheduledId;

/** Refers to the event right before it in the same append. */
export const EVENT_BEFORE = '-1' as unknown as MessageId & ScheduledId;

const scheduledId = t.Unsafe<ScheduledId>(t.Integer({ minimum: 1 }));
/** Milliseconds since the UNIX epoch. */
const dueAt = t.Integer({ minimum: 0 });

const target = t.Union([
  t.Object({ channelId }),
  /** All users of the conversation, also its author, ascending. */
  t.Object({ userIds: t.Array(userId, { minItems: 1 }) }),
]);
/** The destination of a scheduled message. */
export type Target = Static<typeof target>;

const words = t.Object({
  content: t.String(),
  /** The meaning of the names in the text when it was written, in the form of messages. */
  names: t.Optional(t.Unknown()),
  /** Of messages to a channel, in the stored form of topics. */
  topic: t.Optional(t.String()),
});
export type ScheduledText = Static<typeof words>;

/** Texts of a person have that person as a subject, so that they are erased with the person. */
const wordsOf = (user: UserId): Subject[] => [
  ['user', user],
  ['person', user],
];
/** A finished scheduled message is erased like a deleted one. A message that was sent has the text itself. */
const scheduledWords = (data: { scheduledId: ScheduledId }) => [['stream', `scheduled-${data.scheduledId}`] as const];
const reminderWords = (data: { reminderId: ScheduledId }) => [['reminder', data.reminderId] as const];
const subjectsOf = (data: { userId: UserId; target: Target }): Subject[] => [
  ...wordsOf(data.userId),
  ...('channelId' in data.target ? [['channel', data.target.channelId] as const] : []),
];

/** Stream `scheduled-{position}`: a user scheduled a message. */
export const MessageScheduled = defineEvent('scheduling.MessageScheduled', {
  data: t.Object({ userId, target, dueAt, readBySender: t.Boolean() }),
  sealed: words,
  subjects: subjectsOf,
});
export type MessageScheduled = FactOf<typeof MessageScheduled>;

/** All properties from now on. It waits again if it had failed. */
export const ScheduledMessageChanged = defineEvent('scheduling.ScheduledMessageChanged', {
  data: t.Object({ scheduledId, userId, target, dueAt, readBySender: t.Boolean() }),
  sealed: words,
  subjects: subjectsOf,
});
export type ScheduledMessageChanged = FactOf<typeof ScheduledMessageChanged>;

export const ScheduledMessageDeleted = defineEvent('scheduling.ScheduledMessageDeleted', {
  data: t.Object({ scheduledId, userId }),
  subjects: (data) => [['user', data.userId]],
  erases: scheduledWords,
});
export type ScheduledMessageDeleted = FactOf<typeof ScheduledMessageDeleted>;

/** It became this message, in the same append, so it can be sent only once. */
export const ScheduledMessageSent = defineEvent('scheduling.ScheduledMessageSent', {
  data: t.Object({ scheduledId, userId, messageId }),
  subjects: (data) => [
    ['user', data.userId],
    ['message', data.messageId],
  ],
  erases: scheduledWords,
  references: ['messageId'],
});
export type ScheduledMessageSent = FactOf<typeof ScheduledMessageSent>;

/** Why a delivery failed for good: refused like any message, too late, its author cannot act, or a server error. */
export const FAILURES = ['refused', 'late', 'author', 'internal'] as const;
export type FailureReason = (typeof FAILURES)[number];

/** It could not be sent and waits for its author. */
export const ScheduledMessageFailed = defineEvent('scheduling.ScheduledMessageFailed', {
  data: t.Object({
    scheduledId,
    userId,
    failure: choice(...FAILURES),
    /** The position of the event that contains its texts. */
    wordsAt: t.Integer({ minimum: 1 }),
  }),
  sealed: t.Object({ reason: t.String() }),
  subjects: (data) => wordsOf(data.userId),
});
export type ScheduledMessageFailed = FactOf<typeof ScheduledMessageFailed>;

const reminderText = t.Object({
  content: t.String(),
  names: t.Optional(t.Unknown()),
  note: t.Optional(t.String()),
});
/** The text of a reminder if its message cannot be read any more, and the note. */
export type ReminderText = Static<typeof reminderText>;

/**
 * Stream `reminder-{position}`: a user set a reminder of a message or of a note. The text of a message is erased with
 * it; so the note is also in an event of its own.
 */
export const ReminderSet = defineEvent('scheduling.ReminderSet', {
  data: t.Object({
    userId,
    messageId: nullable(messageId),
    dueAt,
    /** The position of the `ReminderNoted`. Left out without one. */
    noteAt: t.Optional(t.Integer({ minimum: 1 })),
  }),
  sealed: reminderText,
  subjects: (data, position) => [
    ...wordsOf(data.userId),
    ['reminder', position],
    ...(data.messageId === null ? [] : [['quoted', data.messageId] as const]),
  ],
  references: ['noteAt'],
});
export type ReminderSet = FactOf<typeof ReminderSet>;

/** Stream `note-{position}`: the note of a reminder of a message. */
export const ReminderNoted = defineEvent('scheduling.ReminderNoted', {
  data: t.Object({ reminderId: scheduledId, userId }),
  sealed: t.Object({ note: t.String() }),
  subjects: (data) => [...wordsOf(data.userId), ['reminder', data.reminderId]],
  references: ['reminderId'],
});
export type ReminderNoted = FactOf<typeof ReminderNoted>;

export const ReminderDeleted = defineEvent('scheduling.ReminderDeleted', {
  data: t.Object({ reminderId: scheduledId, userId }),
  subjects: (data) => [['user', data.userId]],
  erases: reminderWords,
});
export type ReminderDeleted = FactOf<typeof ReminderDeleted>;

/** The notification bot sent it, in the same append. */
export const ReminderDelivered = defineEvent('scheduling.ReminderDelivered', {
  data: t.Object({ reminderId: scheduledId, userId, deliveredAs: messageId }),
  subjects: (data) => [
    ['user', data.userId],
    ['message', data.deliveredAs],
  ],
  erases: reminderWords,
  references: ['deliveredAs'],
});
export type ReminderDelivered = FactOf<typeof ReminderDelivered>;

export const ReminderFailed = defineEvent('scheduling.ReminderFailed', {
  data: t.Object({ reminderId: scheduledId, userId, failure: choice(...FAILURES) }),
  subjects: (data) => [['user', data.userId]],
});
export type ReminderFailed = FactOf<typeof ReminderFailed>;

export type ScheduledMessageEvent =
  MessageScheduled | ScheduledMessageChanged | ScheduledMessageDeleted | ScheduledMessageSent | ScheduledMessageFailed;

export type ReminderEvent = ReminderSet | ReminderDeleted | ReminderDelivered | ReminderFailed;
