import type { MessageId, UserId } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import { given, recorded } from '../../../../../test/support/events/recorded-events';
import { MAX_MESSAGE_LENGTH } from '../message/text';
import { MAX_CHANGES, MAX_CHARACTERS, changeWidget, isNearlyFull, widgetAggregate } from './widget';
import type { ChangeKind } from './widget-change';
import { widgetChange } from './widget-change';
import type { WidgetType } from './widget-text';

const by = { messageId: 7 as MessageId, userId: 2 as UserId };
const EMPTY = widgetAggregate.initial;

const refusal = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (error instanceof Rejected) return `${error.code} ${error.message}`;
    throw error;
  }
  return 'granted';
};
const refusalOf = (type: WidgetType, content: unknown, isAuthor = true) =>
  refusal(() => widgetChange(type, typeof content === 'string' ? content : JSON.stringify(content), isAuthor));

describe('the form of a change', () => {
  it.each<[WidgetType, object, ChangeKind, string]>([
    ['poll', { type: 'vote', key: 'canned,0', vote: 1 }, 'vote', 'PollVoted'],
    ['poll', { type: 'vote', key: '5,9', vote: -1 }, 'vote', 'PollVoted'],
    ['poll', { type: 'new_option', idx: 1000, option: 'pizza' }, 'new_option', 'PollOptionAdded'],
    ['poll', { type: 'question', question: '' }, 'question', 'PollQuestionChanged'],
    ['todo', { type: 'new_task', key: 0, task: 'eat', desc: '', completed: false }, 'new_task', 'TaskAdded'],
    ['todo', { type: 'strike', key: '0,canned' }, 'strike', 'TaskToggled'],
    ['todo', { type: 'new_task_list_title', title: 'Food' }, 'new_task_list_title', 'TaskListRenamed'],
  ])('of a %s: %j', (type, data, kind, event) => {
    const content = JSON.stringify(data, null, 1);
    const change = widgetChange(type, content, true);
    expect(change).toMatchObject({ kind, content });
    expect(changeWidget(EMPTY, change, by)).toMatchObject([
      { type: `messages.${event}`, data: by, sealed: { content } },
    ]);
  });

  it('of a vote says whether it is taken back', () => {
    const votes = [1, -1].map((vote) =>
      widgetChange('poll', JSON.stringify({ type: 'vote', key: '1,1', vote }), false),
    );
    const events = votes.flatMap((change) => changeWidget(EMPTY, change, by));
    expect(events.map(({ data }) => data)).toEqual([
      { ...by, vote: 1 },
      { ...by, vote: -1 },
    ]);
  });

  it.each<[WidgetType, unknown, string]>([
    ['poll', 'bogus', 'Invalid json for submessage'],
    ['poll', '""', 'poll data is not a dict'],
    ['poll', '[]', 'poll data is not a dict'],
    ['todo', 'null', 'todo data is not a dict'],
    ['poll', {}, 'type key is missing from poll data'],
    ['poll', { type: 3 }, 'poll data["type"] is not a string'],
    ['poll', { type: 'bogus' }, 'Unknown type for poll data: bogus'],
    ['poll', { type: 'strike', key: '1,1' }, 'Unknown type for poll data: strike'],
    ['poll', { type: 'constructor' }, 'Unknown type for poll data: constructor'],
    ['todo', { type: 'vote', key: '1,1', vote: 1 }, 'Unknown type for todo data: vote'],
    ['poll', { type: 'vote' }, 'key key is missing from poll data'],
    ['poll', { type: 'vote', key: 1, vote: 1 }, 'poll data["key"] is not a string'],
    ['poll', { type: 'vote', key: '1,1', vote: 99 }, 'Invalid poll data["vote"]'],
    ['poll', { type: 'vote', key: '1,1', vote: 1, why: 1, then: 2 }, 'Unexpected arguments: why, then'],
    ['poll', { type: 'question' }, 'question key is missing from poll data'],
    ['poll', { type: 'question', question: 7 }, 'poll data["question"] is not a string'],
    ['poll', { type: 'question', question: 'a\0b' }, 'Invalid character in poll data["question"]'],
    ['poll', '{"type":"question","question":"\\ud800"}', 'Invalid character in poll data["question"]'],
    ['poll', { type: 'new_option', idx: 7, option: 999 }, 'poll data["option"] is not a string'],
    ['poll', { type: 'new_option', idx: -1, option: 'pizza' }, 'poll data["idx"] is too small'],
    ['poll', { type: 'new_option', idx: 1001, option: 'pizza' }, 'poll data["idx"] is too large'],
    ['poll', { type: 'new_option', idx: 'x', option: 'pizza' }, 'poll data["idx"] is not an integer'],
    ['poll', { type: 'new_option', idx: 1.5, option: 'pizza' }, 'poll data["idx"] is not an integer'],
    ['todo', { type: 'new_task', key: 0, task: 'eat', desc: '' }, 'completed key is missing from todo data'],
    [
      'todo',
      { type: 'new_task', key: 0, task: 'eat', desc: '', completed: 1 },
      'todo data["completed"] is not a boolean',
    ],
    ['todo', { type: 'strike', key: 999 }, 'todo data["key"] is not a string'],
    [
      'todo',
      { type: 'strike', key: 'x'.repeat(MAX_MESSAGE_LENGTH) },
      'The submessage is too long (limit: 10000 characters)',
    ],
  ])('of a %s is refused: %j', (type, content, why) => {
    expect(refusalOf(type, content)).toBe(`BAD_REQUEST ${why}`);
  });
});

describe('only the author of the message', () => {
  it.each<[WidgetType, object, string]>([
    ['poll', { type: 'question', question: 'Lunch?' }, "You can't edit a question unless you are the author."],
    [
      'todo',
      { type: 'new_task_list_title', title: 'Food' },
      "You can't edit the task list title unless you are the author.",
    ],
  ])('changes the heading of a %s', (type, content, why) => {
    expect(refusalOf(type, content, true)).toBe('granted');
    expect(refusalOf(type, content, false)).toBe(`BAD_REQUEST ${why}`);
  });

  it('does not have to make the other changes', () => {
    expect(refusalOf('poll', { type: 'vote', key: '1,1', vote: 1 }, false)).toBe('granted');
    expect(refusalOf('todo', { type: 'strike', key: '1,1' }, false)).toBe('granted');
  });
});

describe('the changes of a widget', () => {
  const content = '{"type":"strike","key":"0,canned"}';
  const strike = widgetChange('todo', content, false);

  it('are counted with their length, as far as it is not erased', () => {
    const [fact] = changeWidget(EMPTY, strike, by);
    if (!fact) throw new Error('there is no event');
    expect(given(widgetAggregate, fact, fact)).toEqual({ changes: 2, characters: 2 * content.length });
    const erased = { ...recorded(fact), sealed: 'erased' } as never;
    expect(widgetAggregate.evolve(EMPTY, erased)).toEqual({ changes: 1, characters: 0 });
  });

  it('are limited in number and in length', () => {
    const full = 'BAD_REQUEST This message cannot have more submessages.';
    const after = (changes: number, characters: number) =>
      refusal(() => changeWidget({ changes, characters }, strike, by));
    expect(after(MAX_CHANGES - 1, 0)).toBe('granted');
    expect(after(MAX_CHANGES, 0)).toBe(full);
    expect(after(1, MAX_CHARACTERS - content.length)).toBe('granted');
    expect(after(1, MAX_CHARACTERS - content.length + 1)).toBe(full);
  });

  it('are counted one after the other only near the limits', () => {
    expect(isNearlyFull({ changes: 8_999, characters: 249_999 })).toBe(false);
    expect(isNearlyFull({ changes: 9_000, characters: 0 })).toBe(true);
    expect(isNearlyFull({ changes: 0, characters: 250_000 })).toBe(true);
  });
});
