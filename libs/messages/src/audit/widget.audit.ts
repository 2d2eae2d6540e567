import type { EventDescription } from '@annals/kernel';
import { describeEvent, quoted, thing, wordsOf } from '@annals/kernel';
import type { Recorded } from '@annals/kernel/domain';
import type { WidgetEvent } from '../domain/widgets/widget-events';
import {
  PollOptionAdded,
  PollQuestionChanged,
  PollVoted,
  TaskAdded,
  TaskListRenamed,
  TaskToggled,
} from '../domain/widgets/widget-events';

const commands = ['ChangeWidget'];

/** A text within a change. */
const textOf = (event: Recorded<WidgetEvent>, field: string) =>
  wordsOf(event, ({ content }) => (JSON.parse(content) as Readonly<Record<string, string>>)[field] ?? '');

const voted = describeEvent(PollVoted, {
  meaning: 'A user voted for an option of a poll, or took such a vote back.',
  commands,
  sentence: ({ data: { messageId, vote } }) => [
    vote === 1 ? 'voted in the poll of ' : 'took a vote back in the poll of ',
    thing.message(messageId),
  ],
});

const optionAdded = describeEvent(PollOptionAdded, {
  meaning: 'A user added an option to a poll.',
  commands,
  sentence: (event) => [
    'added ',
    quoted(textOf(event, 'option'), 'an option'),
    ' to the poll of ',
    thing.message(event.data.messageId),
  ],
});

const questionChanged = describeEvent(PollQuestionChanged, {
  meaning: 'The author of a poll changed its question.',
  commands,
  sentence: (event) => [
    'changed the question of the poll of ',
    thing.message(event.data.messageId),
    ' to ',
    quoted(textOf(event, 'question'), 'another one'),
  ],
});

const taskAdded = describeEvent(TaskAdded, {
  meaning: 'A user added a task to a to-do list.',
  commands,
  sentence: (event) => [
    'added ',
    quoted(textOf(event, 'task'), 'a task'),
    ' to the to-do list of ',
    thing.message(event.data.messageId),
  ],
});

const taskToggled = describeEvent(TaskToggled, {
  meaning: 'A user marked a task of a to-do list as done, or as not done if it was done.',
  commands,
  sentence: ({ data: { messageId } }) => [
    'checked or unchecked a task in the to-do list of ',
    thing.message(messageId),
  ],
});

const listRenamed = describeEvent(TaskListRenamed, {
  meaning: 'The author of a to-do list changed its title.',
  commands,
  sentence: (event) => [
    'changed the title of the to-do list of ',
    thing.message(event.data.messageId),
    ' to ',
    quoted(textOf(event, 'title'), 'another one'),
  ],
});

export const widgetDescriptions: readonly EventDescription[] = [
  voted,
  optionAdded,
  questionChanged,
  taskAdded,
  taskToggled,
  listRenamed,
];
