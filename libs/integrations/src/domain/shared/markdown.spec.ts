import { fromJiraMarkup } from '../jira/jira-markup';
import { fromSlackMarkup } from '../slack/slack-markup';
import { asSentence, globalTime, globalTimeOf, quoted } from './markdown';

describe('parts of messages', () => {
  it('a quotation cannot end its own block', () => {
    expect(quoted('text')).toBe('~~~ quote\ntext\n~~~');
    expect(quoted('a\n~~~~\nb\n  ~~~')).toBe('~~~~~ quote\na\n~~~~\nb\n  ~~~\n~~~~~');
    expect(quoted('a ~~~ b')).toBe('~~~ quote\na ~~~ b\n~~~');
  });

  it.each([
    ['2019-08-19T21:04:36.572000Z', '<time:2019-08-19T21:04:36+00:00>'],
    ['2021-10-12T09:51:03+02:00', '<time:2021-10-12T09:51:03+02:00>'],
    ['yesterday', 'yesterday'],
  ])('the time %j is %j', (iso, expected) => expect(globalTime(iso)).toBe(expected));

  it('a time may be seconds', () => {
    expect(globalTimeOf(1655945306)).toBe('<time:2022-06-23T00:48:26+00:00>');
  });

  it.each([
    ['one', 'one.'],
    ['really?', 'really?'],
    ['v1.0`', 'v1.0`'],
  ])('%j is the sentence %j', (text, expected) => expect(asSentence(text)).toBe(expected));
});

describe('the markup of Slack', () => {
  it.each([
    ['some *foo* word', 'some **foo** word'],
    ['*foo* *bar*', '**foo** **bar**'],
    ['*foo*a*bar*', '*foo*a*bar*'],
    ['some _foo_ word', 'some *foo* word'],
    ['snake_case_name', 'snake_case_name'],
    ['2 * 3 * 4', '2 * 3 * 4'],
    ['(~no~)', '(~~no~~)'],
    ['<https://example.com|a | b>', '[a | b](https://example.com)'],
    ['<https://example.com>', 'https://example.com'],
    ['<javascript:x|y>', '<javascript:x|y>'],
    ['<mailto:ann@example.com>', 'mailto:ann@example.com'],
  ])('%j becomes %j', (text, expected) => expect(fromSlackMarkup(text)).toBe(expected));
});

describe('the markup of Jira', () => {
  it.each([
    ['*bold*', '**bold**'],
    ['{{code}}', '`code`'],
    ['bq. words', '> words'],
    ['{quote}words{quote}', '~~~ quote\nwords\n~~~'],
    ['{code:java}x(){code}', '~~~\nx()\n~~~'],
    ['{noformat}x{noformat}', '~~~\nx\n~~~'],
    ['[https://example.com]', '[https://example.com](https://example.com)'],
    ['[a page|https://example.com]', '[a page](https://example.com)'],
    ['[~ann]', '**ann**'],
  ])('%j becomes %j', (text, expected) => expect(fromJiraMarkup(text)).toBe(expected));
});
