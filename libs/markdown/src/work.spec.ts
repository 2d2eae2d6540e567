import { names, PIECES } from './spec-support/examples';
import type { NameLookup } from './names';
import { parse } from './parser';
import { render } from './render';

let calls = 0;

/** Counts how often rules are tried at a position: the cost of parsing, without a clock. */
function count(rules: readonly unknown[]): void {
  const list = rules as ((...args: unknown[]) => unknown)[];
  list.forEach((rule, index) => {
    list[index] = (...args) => {
      calls++;
      return rule(...args);
    };
  });
}

const ONE_TABLE_TOO_MANY = '|'.repeat(300) + '\n|'.repeat(300);

beforeAll(() => {
  for (const text of ['', ONE_TABLE_TOO_MANY]) {
    const { md } = parse(text, { names, options: {} });
    for (const chain of ['', 'paragraph', 'blockquote', 'list']) count(md.block.ruler.getRules(chain));
    for (const ruler of [md.inline.ruler, md.inline.ruler2]) count(ruler.getRules(''));
  }
});

function workOn(text: string): number {
  calls = 0;
  render(text, names);
  return calls;
}

test('the count distinguishes more work from less', () => {
  expect(workOn('a')).toBeGreaterThan(0);
  expect(workOn('a *b* c')).toBeGreaterThan(workOn('a b c'));
  expect(workOn(ONE_TABLE_TOO_MANY)).toBeGreaterThan(workOn('|'));
});

const RUNS = [
  ...[
    '[',
    ']',
    '*',
    '**',
    '***',
    '>',
    '> ',
    '|',
    '$',
    '$$',
    '~',
    '~~',
    '`',
    '``',
    '#',
    '# ',
    '@',
    '@**',
    ':',
    '_',
    '-',
    '+',
  ],
  ...[
    '1. ',
    '- ',
    '1. a\n',
    '1. a\n* b\n',
    '* a\n- b\n+ c\n',
    '  - a\n',
    '1. a\n  - b\n',
    '> 1. a\n>   - b\n',
    '\n',
    '\t',
    ' ',
  ],
  ...[
    '[a](',
    '![a](',
    '[a](b',
    '[[a]',
    '](',
    '<',
    '&',
    '&amp',
    '\\',
    '!',
    '"',
    '(',
    'a:',
    'http://',
    'https://a.b:',
    '//',
  ],
  ...[
    '*a ',
    '**a ',
    '*a **b ',
    '**a *b ',
    '~~a ',
    '~~*a ',
    '*~~a ',
    '**~~a*b~~',
    '***a* ',
    '* a*',
    'a* *b',
    '`*',
    '$$*',
    '[*',
  ],
  ...[
    '```\n',
    '```a b\n',
    '~~~quote\n',
    '```spoiler a\n',
    '```math\n\n',
    '    a\n',
    '|a|b|\n',
    '||\n|-|\n',
    '😀',
    '👍🏽',
    '1️⃣',
    '\u200d',
  ],
  ...PIECES,
];
/** Pieces whose HTML is much longer than they are. */
const LARGE = [
  ...['@**|1** ', '@**all** ', '#**general>x** ', '$$a$$ ', '😀', '⌚', ':a:', ':mascot:', '"', '&', '<'],
  ...[
    '[](/user_uploads/💩💩.png) ',
    '[](/user_uploads/1.png)\n\n',
    '![](/user_uploads/1)',
    '[a](💩💩💩💩)',
    'http://a.b/💩 ',
  ],
  ...[
    `${'>'.repeat(21)} a\n\n`,
    `${'>'.repeat(23)}a\n\n`,
    `${'- '.repeat(11)}a\n\nb\n\n`,
    '~~~spoiler\n~~~\n',
    '```js\n```\n',
  ],
  ...['~~~math\na\n~~~\n', `|${'a|'.repeat(60)}\n|${'-|'.repeat(60)}\n${'|\n'.repeat(60)}\n`, '<time:2020-01-01> '],
];
const fill = (piece: string, length: number): string => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

test.each([...new Set(RUNS)])('twice as much of %j is at most about twice as much work', (piece) => {
  const half = workOn(fill(piece, 5_000));
  const whole = workOn(fill(piece, 10_000));
  expect(whole).toBeLessThan(2.3 * half + 2_000);
  expect(whole).toBeLessThan(60 * 10_000);
});

test.each([
  ['quotes', (depth: number) => `${'>'.repeat(depth)} a\n`],
  ['lists', (depth: number) => Array.from({ length: Math.sqrt(depth) }, (_, i) => `${'  '.repeat(i)}- a\n`).join('')],
  ['brackets', (depth: number) => `${'['.repeat(depth / 2)}a${']'.repeat(depth / 2)}`],
  ['links', (depth: number) => `${'['.repeat(depth / 5)}a${'](b)'.repeat(depth / 5)}`],
  ['marks', (depth: number) => '*~~'.repeat(depth / 6) + '~~*'.repeat(depth / 6)],
  [
    'fences',
    (depth: number) => Array.from({ length: Math.sqrt(depth) }, (_, i) => `${'`'.repeat(103 - i)}quote\n`).join(''),
  ],
])('nested %s', (_name, nested) => {
  expect(workOn(nested(10_000))).toBeLessThan(2.3 * workOn(nested(5_000)) + 2_000);
});

/** Most code units of HTML for 10,000 of text: half of it formulas. Names are as long as the directory allows. */
const MOST_HTML = 800_000;
/** Most elements for 10,000 code units of text. */
const MOST_ELEMENTS = 15_000;
const longNames: NameLookup = {
  ...names,
  user: ({ id = 1 }) => ({ id, fullName: 'ñ'.repeat(100) }),
  emoji: (name) => (name === 'mascot' ? { src: `/user_avatars/2/emoji/images/${'a'.repeat(40)}.png` } : undefined),
};

test.each([...new Set([...RUNS, ...LARGE])])('10,000 characters of %j have HTML of a bounded size', (piece) => {
  const html = render(fill(piece, 10_000), longNames);
  expect(html.length).toBeLessThan(MOST_HTML);
  expect(html.match(/<[a-z]/g)?.length ?? 0).toBeLessThan(MOST_ELEMENTS);
  const half = render(fill(piece, 5_000), longNames);
  expect(html.length).toBeLessThan(2.1 * half.length + 1_000);
});
