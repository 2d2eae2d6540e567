import { names } from '../spec-support/examples';
import { unsafeParts } from '../spec-support/unsafe-html';
import { escapeHtml } from '../html';
import { inspect } from '../inspect';
import { render } from '../render';
import { linkedTexts } from './linked-texts';
import type { Linkifier } from './linkifier-set';
import { LinkifierSet } from './linkifier-set';
import { topicLinks } from './topic-links';
import { writtenLinks } from './written-links';

const TICKET = { pattern: '#(?P<id>[0-9]+)', urlTemplate: 'https://t.example/{id}' };
const ISSUE = {
  pattern: '(?P<org>[a-z]+)/(?P<repo>[a-z]+)#(?P<id>[0-9]+)',
  urlTemplate: 'https://code.example/{org}/{repo}/issues/{id}',
};
const found = (content: string, linkifiers: readonly Linkifier[] = [TICKET, ISSUE]) =>
  linkedTexts(content, names, new LinkifierSet(linkifiers));
/** The HTML of a text that was written while there were these linkifiers. */
const shown = (content: string, linkifiers: readonly Linkifier[] = [TICKET, ISSUE]) =>
  render(content, { ...names, linkedParts: writtenLinks(found(content, linkifiers)) });
const link = (id: string) => `<a href="https://t.example/${id}">#${id}</a>`;

describe('a text that a linkifier matches', () => {
  test.each<[markdown: string, html: string]>([
    ['We should fix #224 #336 and #115.', `We should fix ${link('224')} ${link('336')} and ${link('115')}.`],
    ['#1', link('1')],
    ['(#1, #2) "#3" <#4 a:#5', `(${link('1')}, ${link('2')}) "${link('3')}" &lt;${link('4')} a:${link('5')}`],
    ['#1\n#2', `${link('1')}<br>\n${link('2')}`],
    ['é #1\u00a0#2\u2003#3', `é ${link('1')}\u00a0${link('2')}\u2003${link('3')}`],
    ['see #1-#2', `see ${link('1')}-#2`],
    ['*see #1* **and #2**', `<em>see ${link('1')}</em> <strong>and ${link('2')}</strong>`],
    ['ann/cat#7 and #7', `<a href="https://code.example/ann/cat/issues/7">ann/cat#7</a> and ${link('7')}`],
    [
      '#1 :tada: #2',
      `${link('1')} <span aria-label="tada" class="emoji emoji-1f389" role="img" title="tada">:tada:</span> ${link('2')}`,
    ],
  ])('is a link: %j', (markdown, html) => expect(shown(markdown)).toBe(`<p>${html}</p>`));

  test.each([
    ...['issue#124', '#1124z', '#1é', 'a-#1', '*#1*', '`#1`', '`a`#1', '[trac #15](https://t.example/16)'],
    ...['https://example.com/#1', '```\n#1\n```', '$$#1$$', '@**Iago**#1'],
  ])('is none without a boundary, in code and in links: %j', (markdown) => {
    expect(found(markdown)).toEqual([]);
    expect(shown(markdown)).toBe(render(markdown, names));
  });

  it('is a link in lists, quotes, headings and tables', () => {
    const html = shown('- #1\n\n> #2\n\n# #3\n\n|a|\n|-|\n|#4|');
    for (const id of ['1', '2', '3', '4']) expect(html).toContain(link(id));
  });

  it('belongs to the first linkifier that matches it', () => {
    const other = { pattern: '#(?P<id>1\\d*)', urlTemplate: 'https://other.example/{id}' };
    const both = (linkifiers: Linkifier[]) => found('#1 #2 #1', linkifiers).map(({ url }) => url);
    expect(both([TICKET, other])).toEqual(['https://t.example/1', 'https://t.example/2']);
    expect(both([other, TICKET])).toEqual(['https://other.example/1', 'https://t.example/2']);
  });

  it('is recorded once, in the order of the linkifiers', () => {
    expect(found('#2 a/b#1 #2 #1')).toEqual([
      { written: '#2', url: 'https://t.example/2' },
      { written: '#1', url: 'https://t.example/1' },
      { written: 'a/b#1', url: 'https://code.example/a/b/issues/1' },
    ]);
  });

  it('stays a link when the linkifiers have changed since', () => {
    const linkedParts = writtenLinks(found('#1 and #2'));
    expect(render('#1 and #2', { ...names, linkedParts })).toBe(`<p>${link('1')} and ${link('2')}</p>`);
    expect(render('#1 and #3', { ...names, linkedParts })).toBe(`<p>${link('1')} and #3</p>`);
  });

  it('is a fact about the text', () => {
    const linkedParts = writtenLinks(found('see #1'));
    expect(inspect('see #1', { ...names, linkedParts }).hasLink).toBe(true);
    expect(inspect('see #1', names).hasLink).toBe(false);
  });
});

describe('the URL of a linkifier', () => {
  const urlOf = (pattern: string, urlTemplate: string, content: string) =>
    found(content, [{ pattern, urlTemplate }])[0]?.url;

  test.each([
    ['T-(?P<id>\\d+)', 'https://t.example/?id={id}', 'T-7', 'https://t.example/?id=7'],
    ['T-(?P<id>.+)', 'https://t.example/{id}', 'T-a b/ü', 'https://t.example/a%20b%2F%C3%BC'],
    ['T-(?P<id>.+)', 'https://t.example/{+id}', 'T-a/b', 'https://t.example/a/b'],
    ['T-(?P<id>\\d+)(?P<part>[a-z]+)?', 'https://t.example{/id}{?part}', 'T-7', 'https://t.example/7'],
    ['T-(?P<id>\\d+)(?P<part>[a-z]+)?', 'https://t.example{/id}{?part}', 'T-7a', 'https://t.example/7?part=a'],
    ['(?i)t-(?P<id>\\d+)', 'https://t.example/{id}', 'T-7', 'https://t.example/7'],
    ['(?P<name>\\pL+)!', 'https://t.example/{name:2}', 'münze!', 'https://t.example/m%C3%BC'],
    ['T', '/relative', 'T', '/relative'],
  ])('of %j and %j for %j is %j', (pattern, template, content, url) => {
    expect(urlOf(pattern, template, content)).toBe(url);
  });

  test.each([
    ['(?P<url>.+)', '{+url}', 'javascript:alert(1)'],
    ['(?P<url>.+)', 'javascript:{url}', 'alert'],
    ['(?P<url>.+)', '{+url}', '//evil.example'],
    ['(?P<url>.+)', 'https://t.example/{url}', 'x'.repeat(2_000)],
  ])('is never harmful or very long: %j and %j', (pattern, template, content) => {
    expect(urlOf(pattern, template, content)).toBeUndefined();
  });

  test.each([
    ['JaVaScRiPt:{+url}', 'alert(1)'],
    ['javascript:alert(1)//{url}', 'x'],
    [' javascript:{+url}', 'alert(1)'],
    ['java\tscript:{+url}', 'alert(1)'],
    ['java\nscript:{+url}', 'alert(1)'],
    ['\u0001javascript:{+url}', 'alert(1)'],
    ['{+url}script:alert(1)', 'java'],
    ['&#106;avascript:{+url}', 'alert(1)'],
    ['javascript&colon;{+url}', 'alert(1)'],
    ['data:text/html,{+url}', '<script>alert(1)</script>'],
    ['vbscript:{+url}', 'x'],
    ['blob:{+url}', 'x'],
    ['file:///{+url}', 'etc/passwd'],
    ['/\\{+url}', 'evil.example'],
    ['\\\\{+url}', 'evil.example'],
    ['"onclick="alert(1)" x="{+url}', 'x'],
  ])('runs no program, in texts and in names of topics: %j', (urlTemplate, content) => {
    const linkifiers = [{ pattern: '(?P<url>.+)', urlTemplate }];
    expect(unsafeParts(shown(content, linkifiers))).toEqual([]);
    for (const { url } of topicLinks(content, new LinkifierSet(linkifiers))) {
      expect(unsafeParts(`<a href="${escapeHtml(url)}"></a>`)).toEqual([]);
    }
  });

  it('is escaped, and so is its text', () => {
    const html = shown('<b>"&', [{ pattern: '(?P<text>.+)', urlTemplate: 'https://t.example/?"<{+text}' }]);
    expect(unsafeParts(html)).toEqual([]);
    expect(html).toContain('&lt;b&gt;"&amp;</a>');
  });

  it('is relative where it leads to a view of the organization', () => {
    const own = { pattern: 'topic (?P<name>\\w+)', urlTemplate: 'https://chat.example/#narrow/topic/{name}' };
    const texts = linkedTexts('topic cats', { ...names, ownUrl: 'https://chat.example' }, new LinkifierSet([own]));
    expect(texts).toEqual([{ written: 'topic cats', url: '#narrow/topic/cats' }]);
  });
});

describe('links to views of the organization', () => {
  const own = (content: string) => render(content, { ...names, ownUrl: 'https://chat.example' });
  const narrow = 'https://chat.example/#narrow/channel/9-announce';

  test.each([
    [narrow, `<a href="#narrow/channel/9-announce">${narrow}</a>`],
    [`[plans](${narrow})`, '<a href="#narrow/channel/9-announce">plans</a>'],
    [`[](${narrow})`, `<a href="#narrow/channel/9-announce">${narrow}</a>`],
    ['https://chat.example/#', '<a href="#">https://chat.example/#</a>'],
    ['https://chat.example/help', '<a href="https://chat.example/help">https://chat.example/help</a>'],
    ['https://chat.example.org/#a', '<a href="https://chat.example.org/#a">https://chat.example.org/#a</a>'],
  ])('are relative: %j', (markdown, html) => expect(own(markdown)).toBe(`<p>${html}</p>`));

  it('are absolute where the address was another one', () => {
    expect(render(narrow, names)).toBe(`<p><a href="${narrow}">${narrow}</a></p>`);
  });
});

describe('code without a language', () => {
  const shownWith = (content: string) => render(content, { ...names, codeLanguage: 'python' });

  it('has that of the organization', () => {
    expect(shownWith('```\nx\n```')).toContain('data-code-language="Python"');
    expect(shownWith('```js\nx\n```')).toContain('data-code-language="JavaScript"');
    expect(shownWith('```quote\nx\n```')).toBe(render('```quote\nx\n```', names));
  });
});
