import fc from 'fast-check';
import { unsafeParts } from '../spec-support/unsafe-html';
import { names, PIECES } from '../spec-support/examples';
import { inspect } from '../inspect';
import { NO_NAMES } from '../names';
import type { NameLookup } from '../names';
import { references } from '../references';
import { render } from '../render';
import { sanitize } from './sanitize';

const anyText = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary', maxLength: 80 }),
);
/** Every name is a text of the attacker. */
const hostile: NameLookup = {
  user: ({ name }) => ({ id: 1, fullName: `${name}"><script>alert(1)</script>` }),
  group: (name) => ({ id: 1, name: `${name}<img src=x onerror=alert(1)>` }),
  channel: (name) => ({ id: 1, name: `${name}"><svg onload=alert(1)>` }),
  emoji: () => ({ src: 'https://evil.example.com/" onerror="alert(1)' }),
};

describe('no text becomes a program', () => {
  test('the check detects what it should', () => {
    expect(unsafeParts('<p onclick="x"></p>')).toEqual(['attribute onclick']);
    expect(unsafeParts('<script></script>')).toEqual(['element script', 'element script']);
    expect(unsafeParts('<a href="javascript:x"></a>')).toEqual(['link to javascript:x']);
    expect(unsafeParts('<img src="//evil/x">')).toEqual(['media from //evil/x']);
    expect(unsafeParts('<img src=x>')).toEqual(['stray bracket in <img src=x>']);
  });

  test('any text, for any names', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom(names, NO_NAMES, hostile), (text, who) => {
        expect(unsafeParts(render(text, who))).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });

  test.each([
    '<script>alert(1)</script>',
    '<<script>script>alert(1)<</script>/script>',
    '<img src=x onerror=alert(1)>',
    '<svg/onload=alert(1)>',
    '<a href="javascript:alert(1)">x</a>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    '<style>*{background:url(javascript:alert(1))}</style>',
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x]( javascript:alert(1))',
    '[x](java\tscript:alert(1))',
    '[x](<java\nscript:alert(1)>)',
    '[x](&#106;avascript:alert(1))',
    '[x](&#x6A&#x61vascript&colon;alert(1))',
    '[x](javascript&#58;alert(1))',
    '[x](vbscript:msgbox(1))',
    '[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)',
    '[x](file:///etc/passwd)',
    '[x](view-source:javascript:alert(1))',
    '[x](https://a"onmouseover="alert(1))',
    '[x](https://a "title" onmouseover="alert(1)")',
    '[x](/\\evil.example.com)',
    '![x](javascript:alert(1))',
    '![x](data:image/svg+xml,<svg onload=alert(1)>)',
    '![x](/user_uploads/"onerror="alert(1).png)',
    '![`a](/user_uploads/`](https://evil.example.com/x.png)',
    '![x](/user_uploads/%2e%2e/%2e%2e/api/v1/logout)',
    '[x]: javascript:alert(1)\n\n[x]',
    '<javascript:alert(1)>',
    'javascript://example.com/%0Aalert(1)',
    'https://example.com/"onmouseover="alert(1)',
    '```js" onload="alert(1)\nx\n```',
    '```"><script>alert(1)</script>\nx\n```',
    '```spoiler <script>alert(1)</script>\n<script>alert(1)</script>\n```',
    '```math\n</annotation><script>alert(1)</script>\n```',
    '$$</span><script>alert(1)</script>$$',
    '$$\\href{javascript:alert(1)}{x} \\url{javascript:alert(1)}$$',
    '$$\\includegraphics[width=1em]{//evil.example.com/x.png}$$',
    '$$\\htmlData{onclick=alert(1)}{x} \\htmlId{x}{y} \\htmlClass{user-mention}{z} \\htmlStyle{position:fixed}{z}$$',
    '$$\\text{<img src=x onerror=alert(1)>} \\verb|<script>| \\color{red;x:url(//evil)}{a}$$',
    '$$\\rule{9999em}{9999em} \\kern-9999em \\raisebox{-9999em}{x}$$',
    '$$\\def\\a{<script>alert(1)</script>}\\a$$',
    '```math\n\\begin{array}{<script>} a \\end{array}\n\\tag{<script>}\n```',
    '```html\n<script>alert(1)</script><img src=x onerror="alert(1)">\n```',
    '```md\n[x](javascript:alert(1))\n```',
    '```py\n\0<script>\0\n```\n$$\0$$ 😀',
    '<time:2026-11-20"onclick="alert(1)>',
    '|<script>|\n|-|\n|<img src=x onerror=alert(1)>|',
    '@**<script>alert(1)</script>** #**<script>** #**announce><script>alert(1)</script>** @*<script>*',
    ':"onclick="alert(1): :zulip:',
  ])('%s', (vector) => {
    expect(unsafeParts(render(vector, names))).toEqual([]);
    expect(unsafeParts(render(vector, hostile))).toEqual([]);
  });

  test('an emoji on another server is not fetched', () => {
    expect(render(':x:', hostile)).toBe('<p><img alt=":x:" class="emoji" title="x"></p>');
  });

  test('the sanitizer alone drops what the rules do not write', () => {
    expect(
      sanitize(
        '<p class="x" onclick="y">a<script>b</script><a href="javascript:c" class="stream evil">d</a><td style="color:red">e</td></p>',
      ),
    ).toBe('<p>a<a class="stream">d</a><td style>e</td></p>');
  });
});

describe('no text costs out of proportion', () => {
  const LENGTH = 10_000;
  const fill = (piece: string): string => piece.repeat(Math.ceil(LENGTH / piece.length)).slice(0, LENGTH);
  const adversaries = [
    ...[
      '>',
      '> ',
      '>\n',
      '> - ',
      '[',
      '![',
      '](',
      '[a](',
      '*',
      '**a ',
      '*a **b ',
      '***a***',
      '`',
      '``a',
      '~',
      '_',
      '<',
      '&',
      '$$',
      '$$a',
    ],
    ...[
      '@',
      '@**',
      '@**a',
      '@**Iago** ',
      '#**',
      '#**a>',
      ':',
      ':a',
      ':a:',
      '- ',
      '- a\n',
      '  - a\n',
      '1. ',
      '\n',
      '| ',
      '|a|b|\n',
      '\t',
      '\\',
    ],
    ...[
      '```\n',
      '```quote\n',
      '~~~quote\n',
      '```spoiler a\n',
      '<time:',
      'http://',
      'http://a.b/((',
      'a.b',
      'a@b.c ',
      '//',
      '"',
      '![a](/user_uploads/a.png)',
    ],
  ];

  test.each([
    ...adversaries.map((piece): [string, string] => [piece, fill(piece)]),
    ['nested quotes of fences', Array.from({ length: 100 }, (_, i) => `${'`'.repeat(130 - i)}quote\n`).join('')],
    ['nested lists', Array.from({ length: 90 }, (_, i) => `${'  '.repeat(i)}- a\n`).join('')],
    ['nested links', `${'['.repeat(3_000)}a${'](b)'.repeat(1_750)}`],
    [
      'a table of short rows',
      `${'|a'.repeat(1_250)}|\n${'|-'.repeat(1_250)}|\n${'|\n'.repeat(2_500)}`.slice(0, LENGTH),
    ],
  ])('%j, 10,000 characters', (_name, text) => {
    const times = [0, 1, 2].map(() => {
      // Of this process, because others may be busy too.
      const begin = process.cpuUsage();
      render(text, names);
      inspect(`${text} @**Iago** https://example.com`, names);
      references(text);
      return process.cpuUsage(begin).user / 1_000;
    });
    expect(Math.min(...times)).toBeLessThan(200);
  });

  test('what is nested too deep remains readable', () => {
    const html = render(`${'>'.repeat(1_000)} deep`, names);
    expect(html).toContain('deep');
    expect(html.match(/<blockquote>/g)?.length).toBeLessThan(50);
  });
});
