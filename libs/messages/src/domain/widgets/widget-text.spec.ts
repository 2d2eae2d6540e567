import type { WidgetType } from './widget-text';
import { beginningOf, widgetOf } from './widget-text';

const dataOf = (text: string, type: WidgetType) => beginningOf(text, type).extra_data;

describe('a new message', () => {
  it.each<[string, WidgetType | null]>([
    ['/poll', 'poll'],
    ['/poll Lunch?', 'poll'],
    ['/poll\nyes', 'poll'],
    ['/todo', 'todo'],
    ['/todo\tList', 'todo'],
    ['/polls are open', null],
    ['/POLL Lunch?', null],
    [' /poll Lunch?', null],
    ['let us /poll', null],
    ['/me eats', null],
    ['', null],
  ])('with the text %j has the widget %s', (text, type) => {
    expect(widgetOf(text)).toBe(type);
  });
});

describe('a poll', () => {
  it.each([
    ['/poll', { question: '', options: [] }],
    ['/poll  Lunch? ', { question: 'Lunch?', options: [] }],
    ['/poll\nyes\nno', { question: '', options: ['yes', 'no'] }],
    ['/poll Lunch?\n\nyes  \n\n   no\n - late', { question: 'Lunch?', options: ['yes', 'no', 'late'] }],
    ['/poll Lunch?\r\n* yes\u2028-no', { question: 'Lunch?', options: ['yes', 'no'] }],
    ['/poll /poll\n-', { question: '/poll', options: [] }],
  ])('is read from %j', (text, data) => {
    expect(dataOf(text, 'poll')).toEqual(data);
  });
});

describe('a to-do list', () => {
  it.each([
    ['/todo', { task_list_title: '', tasks: [] }],
    ['/todo   School work', { task_list_title: 'School work', tasks: [] }],
    ['/todo\nread', { task_list_title: '', tasks: [{ task: 'read', desc: '' }] }],
    [
      '/todo School\n\n  read\nlearn: pages 5: 6   \n - write : at home\nsee:here',
      {
        task_list_title: 'School',
        tasks: [
          { task: 'read', desc: '' },
          { task: 'learn', desc: 'pages 5: 6' },
          { task: 'write', desc: 'at home' },
          { task: 'see:here', desc: '' },
        ],
      },
    ],
  ])('is read from %j', (text, data) => {
    expect(dataOf(text, 'todo')).toEqual(data);
  });
});
