import fc from 'fast-check';
import { mailHtml } from './mail-html';
import { names } from '../spec-support/examples';
import { render } from '../render';

const URL = 'https://chat.example.com';
const shown = (markdown: string) => mailHtml(render(markdown, names), URL);

test.each<[markdown: string, html: string]>([
  ['hello', '<p style="margin:0 0 8px">hello</p>'],
  ['**loud** ~~gone~~', '<p style="margin:0 0 8px"><strong>loud</strong> <del>gone</del></p>'],
  ['@**Iago**', '<p style="margin:0 0 8px"><strong>@Iago</strong></p>'],
  ['<b onclick="x">', '<p style="margin:0 0 8px">&lt;b onclick=&quot;x&quot;&gt;</p>'],
  ['> said', /<blockquote style="[^"]+">\n<p style="[^"]+">said<\/p>\n<\/blockquote>/.source],
])('the mail of %j has the HTML %j', (markdown, html) =>
  html.startsWith('<p') ? expect(shown(markdown)).toBe(html) : expect(shown(markdown)).toMatch(new RegExp(html)),
);

test.each<[markdown: string, href: string]>([
  ['[there](https://e.org/?a=1&b=2)', 'https://e.org/?a=1&amp;b=2'],
  ['#**announce**', 'https://chat.example.com/#narrow/channel/'],
  ['[file](/user_uploads/2/ab/r/report.pdf)', 'https://chat.example.com/user_uploads/2/ab/r/report.pdf'],
])('links of %j are absolute', (markdown, href) => expect(shown(markdown)).toContain(`<a href="${href}`));

test('there are no pictures: a picture is a link, and an emoji a character', () => {
  const html = shown('👍 :zulip: ![pic](/user_uploads/2/ab/r/pic.png)');
  expect(html).not.toContain('<img');
  expect(html).toContain('👍 :zulip:');
  expect(html).toContain('href="https://chat.example.com/user_uploads/2/ab/r/pic.png"');
});

test('a spoiler shows its heading only, and a formula its source', () => {
  expect(shown('```spoiler The **end**\nthey die\n```')).toMatch(/The <strong>end<\/strong>.*\(…\)/s);
  expect(shown('```spoiler The **end**\nthey die\n```')).not.toContain('they die');
  expect(shown('$$x^2 < y$$')).toContain('<code>x^2 &lt; y</code>');
});

test('whatever HTML it is given, it writes only tags of its list, with links of known schemes', () => {
  const piece = fc.oneof(
    fc.constantFrom('<script>', '</p>', '<p>', '<a href="javascript:alert(1)">', '<a href="//evil.org">', '</a>'),
    fc.constantFrom('<img src="https://evil.org/x.png" onerror="x">', '<div style="x">', '<svg onload=x>', '&lt;b&gt;'),
    fc.string({ maxLength: 6 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const html = mailHtml(pieces.join(''), URL);
      for (const [tag] of html.matchAll(/<[^>]*>/g)) {
        expect(tag).toMatch(
          /^<\/?(p|br|hr|h\d|[uo]l|li|blockquote|pre|code|t[a-z]+|del|em|strong|a)( [a-z]+="[^"<>]*")*>$/,
        );
        expect(tag).not.toMatch(/ (on\w+|src)=|javascript:/);
      }
    }),
    { numRuns: 100 },
  );
});
