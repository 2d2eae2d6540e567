import { names } from '../spec-support/examples';
import { plainText } from './plain-text';
import { render } from '../render';

const shown = (markdown: string) => plainText(render(markdown, names));

test.each<[markdown: string, text: string]>([
  ['', ''],
  ['hello', 'hello'],
  ['one\ntwo\n\nthree', 'one\ntwo\nthree'],
  ['**loud** *soft* ~~gone~~ `code`', 'loud soft gone code'],
  [`1 < 2 && "3" > '2' &lt;`, `1 < 2 && "3" > '2' <`],
  ['<script>alert(1)</script>', '<script>alert(1)</script>'],
  ['/me waves', '/me waves'],
  ['# Head\ntext', 'Head\ntext'],
  ['@**Iago** @_**Iago** @*support* #**announce>updates**', '@Iago Iago @support #announce > updates'],
  ['[there](https://e.org/?a=1&b=2) https://e.org/?a=1&b=2', 'there https://e.org/?a=1&b=2'],
  ['```python\nprint(1 < 2)\n```', 'print(1 < 2)'],
  ['<time:2030-01-01T00:00:00Z>', '2030-01-01T00:00:00Z'],
])('%j reads %j', (markdown, text) => expect(shown(markdown)).toBe(text));

test.each<[markdown: string, text: string]>([
  ['![song.mp3](/user_uploads/2/ab/r/song.mp3)', 'song.mp3'],
  ['[clip.mp4](/user_uploads/2/ab/r/clip.mp4)', 'clip.mp4'],
])('media are shown by their names: %j reads %j', (markdown, text) => expect(shown(markdown)).toBe(text));

test.each<[markdown: string, text: string]>([
  [':smiling_face: :one:', '☺ 1⃣'],
  ['👍 and :zulip:', '👍 and :zulip:'],
  [':nobody_knows:', ':nobody_knows:'],
])('emoji are characters if there are any: %j reads %j', (markdown, text) => expect(shown(markdown)).toBe(text));

test.each<[markdown: string, text: string]>([
  ['it is $$x^2 < y$$!', 'it is x^2 < y!'],
  ['```math\nx^2\n```', 'x^2'],
])('a formula is shown once: %j reads %j', (markdown, text) => expect(shown(markdown)).toBe(text));

test.each<[markdown: string, text: string]>([
  ['```spoiler The **end**\nthey die\n```', 'The end (…)'],
  ['```spoiler\nthey die\n```\nafter', '(…)\n\nafter'],
  ['> ```spoiler a\n> they die\n> ```', '> a (…)'],
])('hidden text remains hidden: %j reads %j', (markdown, text) => expect(shown(markdown)).toBe(text));

test.each<[markdown: string, text: string]>([
  ['> quoted\n> two\n\nanswer', '> quoted\n> two\n\nanswer'],
  ['> > twice\n\nanswer', '> > twice\n\nanswer'],
])('quotes look like quotes: %j reads %j', (markdown, text) => expect(shown(markdown)).toBe(text));

test.each<[markdown: string, text: string]>([
  ['* a\n* b', 'a\nb'],
  ['5. five\n6. six', '5. five\n6. six'],
  ['before\n\n1. one\n2. two\n   1. inner\n\nafter', 'before\n\n1. one\n2. two\n  1. inner\nafter'],
])('lists keep their numbers: %j reads %j', (markdown, text) => expect(shown(markdown)).toBe(text));

test('a text of the greatest depth is converted', () => {
  expect(shown(`${'> '.repeat(2_000)}deep`)).toContain('deep');
});
