import { names } from '../spec-support/examples';
import { plainText } from '../rendered/plain-text';
import { render } from '../render';
import { hasEmoticon } from './emoticons';

const translated = (text: string) => plainText(render(text, { ...names, emoticons: true }));

test.each<[text: string, shown: string]>([
  [':)', '🙂'],
  ['hello :) you', 'hello 🙂 you'],
  [':) :( <3 :| :/ ;) :D :o :P (:', '🙂 🙁 ❤ 😐 😕 😉 😀 😮 😛 🙂'],
  ['one :)\n:( two', 'one 🙂\n🙁 two'],
  ['* :)', '🙂'],
  ['so :). !:)? (:D) ":(" [<3], :o)', 'so 🙂. !🙂? (😀) "🙁" [❤], 😮)'],
])('the emoticons of %j are shown as %j', (text, shown) => expect(translated(text)).toBe(shown));

test.each(['a:)', ':)b', 'see http://x', '12:0', '<30', ':)-', '*a*:)', ':)*a*'])(
  '%j has no emoticon of its own',
  (text) => expect(render(text, { ...names, emoticons: true })).toBe(render(text, names)),
);

test.each(['`:)`', '```\n:)\n```', '[a :) b](https://example.com)'])('code and links keep them: %j', (text) => {
  expect(render(text, { ...names, emoticons: true })).toBe(render(text, names));
});

test('an emoticon is rendered as the emoji with its name', () => {
  expect(render(':)', { ...names, emoticons: true })).toBe(
    '<p><span aria-label="smile" class="emoji emoji-1f642" role="img" title="smile">:smile:</span></p>',
  );
});

test('emoticons remain text unless the author enabled them', () => {
  expect(render(':) <3', names)).toBe('<p>:) &lt;3</p>');
});

test('they count as emoji, of which a text shows a thousand', () => {
  const html = render(':) '.repeat(1_500), { ...names, emoticons: true });
  expect(html.split('<span')).toHaveLength(1_001);
});

test.each([
  [':)', true],
  ['a <3 b', true],
  ['a:) https://example.com', false],
  ['', false],
])('%j has an emoticon: %s', (text, has) => expect(hasEmoticon(text)).toBe(has));
