import fc from 'fast-check';
import { markdownOf } from './html-markdown';

describe('HTML as Markdown', () => {
  it.each([
    ['<h1>News</h1><p>All <b>good</b><img src="http://spy.example.com/1.png"></p>', '# News\n\nAll **good**'],
    ['<div>one</div><div>two<br>three</div><div><br></div><div>four</div>', 'one\ntwo\nthree\n\nfour'],
    ['a<b> bold </b>b, <em>so</em> <s>old</s>', 'a **bold** b, *so* ~~old~~'],
    ['<b>x<i>y</b>z</i>', '**x*y****z*'],
    ['<strong></strong><b> </b>x', 'x'],
    ['<ul><li>a</li><li>b<ol start="3"><li>c<li>d</ol></li></ul>e', '- a\n- b\n  3. c\n  4. d\n\ne'],
    ['Hi<blockquote>a<blockquote>b</blockquote></blockquote>c', 'Hi\n\n> a\n>\n> > b\n\nc'],
    ['<pre>a\n  b</pre><code>c`d</code>', '```\na\n  b\n```\n\n``c`d``'],
    ['<a href="https://example.org/a(b)">here</a>', '[here](https://example.org/a%28b%29)'],
    ['<a href="https://example.org">https://example.org</a>', 'https://example.org'],
    ['Ann <a href="mailto:ann@example.org">ann@example.org</a>', 'Ann ann@example.org'],
    ['<a href="javascript:alert(1)">here</a><a href="https://example.org"></a>', 'here'],
    [
      '<a href="https://example.org/?a=1&amp;b=2">x</a>&lt;b&gt; snake_case *',
      '[x](https://example.org/?a=1&b=2)<b> snake_case *',
    ],
    ['<title>t</title><style>a{}</style><script>alert("</b>")</script>x<hr>y', 'x\n\n* * *\n\ny'],
    ['<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a\nb\nc'],
    ['</ul></blockquote></b></a>x', 'x'],
  ])('of %j is %j', (html, expected) => expect(markdownOf(html)).toBe(expected));

  it.each([
    '<b>',
    '<div><b>',
    '<blockquote>x',
    '<ul><li>x',
    '<ol><li>',
    '<a href="http://x"><p>x',
    '<h1>x<br>',
    '<code>`',
    '<pre>`',
  ])('is found in time, and is not much longer, for many %j', (tag) =>
    expect(markdownOf(tag.repeat(200_000 / tag.length)).length).toBeLessThan(700_000),
  );

  it('has all words, whatever the tags are', () => {
    const tags = fc.constantFrom(
      ...[
        'b',
        'i',
        'a href="http://example.org"',
        'p',
        'li',
        'ul',
        'ol',
        'blockquote',
        'pre',
        'code',
        'h2',
        'div',
        'br',
        'td',
      ],
    );
    const tag = fc.tuple(fc.boolean(), tags).map(([isEnd, name]) => (isEnd ? `</${name.split(' ')[0]}>` : `<${name}>`));
    const pieces = fc.array(fc.oneof(tag, fc.constantFrom('word', ' word ', '&amp;')), { maxLength: 60 });
    fc.assert(
      fc.property(pieces, (parts) => {
        const markdown = markdownOf(parts.join(''));
        const wordsOf = (text: string) => text.match(/word|&/g)?.length ?? 0;
        expect(wordsOf(markdown)).toBe(wordsOf(parts.join('').replaceAll('&amp;', '&')));
      }),
      { numRuns: 100 },
    );
  });
});
