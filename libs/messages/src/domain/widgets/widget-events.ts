import type { FactOf, MessageId, Subject, UserId } from '@annals/kernel/domain';
import { defineEvent, messageId, t, userId } from '@annals/kernel/domain';

/** The message with the widget, and the user who changed it. */
const facts = { messageId, userId };

/** The change as clients write it and read it, which is JSON. It has texts of users, and keys that clients chose. */
const words = t.Object({ content: t.String() });

/** The words are erased with those of the message. */
const subjects = (data: { readonly messageId: MessageId; readonly userId: UserId }): Subject[] => [
  ['message', data.messageId],
  ['quoted', data.messageId],
  ['user', data.userId],
];

/** Stream `widget-{message}`: a user voted for an option of a poll, or took such a vote back. */
export const PollVoted = defineEvent('messages.PollVoted', {
  data: t.Object({
    ...facts,
    /** -1 takes a vote back. */
    vote: t.Union([t.Literal(1), t.Literal(-1)]),
  }),
  sealed: words,
  subjects,
});
export type PollVoted = FactOf<typeof PollVoted>;

const changed = { data: t.Object(facts), sealed: words, subjects };

/** In the same stream: a poll has one more option. */
export const PollOptionAdded = defineEvent('messages.PollOptionAdded', changed);
export type PollOptionAdded = FactOf<typeof PollOptionAdded>;

/** In the same stream: its author changed the question of a poll. */
export const PollQuestionChanged = defineEvent('messages.PollQuestionChanged', changed);
export type PollQuestionChanged = FactOf<typeof PollQuestionChanged>;

/** In the same stream: a to-do list has one more task. */
export const TaskAdded = defineEvent('messages.TaskAdded', changed);
export type TaskAdded = FactOf<typeof TaskAdded>;

/** In the same stream: a task was marked as done, or as not done if it was done. */
export const TaskToggled = defineEvent('messages.TaskToggled', changed);
export type TaskToggled = FactOf<typeof TaskToggled>;

/** In the same stream: its author changed the title of a to-do list. */
export const TaskListRenamed = defineEvent('messages.TaskListRenamed', changed);
export type TaskListRenamed = FactOf<typeof TaskListRenamed>;

export type WidgetEvent = PollVoted | PollOptionAdded | PollQuestionChanged | TaskAdded | TaskToggled | TaskListRenamed;

/** All changes of widgets. */
export const WIDGET_EVENTS = [PollVoted, PollOptionAdded, PollQuestionChanged, TaskAdded, TaskToggled, TaskListRenamed];
