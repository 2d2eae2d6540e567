import { names } from '../spec-support/examples';
import { render } from '../render';

describe('marks in a line', () => {
  test.each<[markdown: string, html: string]>([
    ['**bold** *italic* ~~gone~~ `code`', '<strong>bold</strong> <em>italic</em> <del>gone</del> <code>code</code>'],
    ['snake_case, _not italic_ and __not bold__', 'snake_case, _not italic_ and __not bold__'],
    ['C:\\*.txt and 1 * 2 * 3', 'C:\\*.txt and 1 * 2 * 3'],
    ['***both***', '<strong><em>both</em></strong>'],
    ['** apart **', '<strong> apart </strong>'],
    ['a * b * c *d * e*', 'a * b * c *d * e*'],
    ['pre**fi**x and pre*fi*x', 'pre<strong>fi</strong>x and pre<em>fi</em>x'],
    ['**a *b* c** *a **b** c*', '<strong>a <em>b</em> c</strong> <em>a <strong>b</strong> c</em>'],
    ['**a ~~b~~ c** ~~a **b** c~~', '<strong>a <del>b</del> c</strong> <del>a <strong>b</strong> c</del>'],
    ['~~ a ~~ ~~~b~~~ ~~c~d~~', '<del> a </del> ~~~b~~~ ~~c~d~~'],
    ['*a ~~b* c~~', '<em>a ~~b</em> c~~'],
    ['~~a *b~~ c*', '~~a <em>b~~ c</em>'],
    ['**a**b**', '<strong>a</strong>b**'],
    ['a **** b ~~~~ c', 'a **** b ~~~~ c'],
    ['**`**`** *`*`* ~~`~~`~~', '<strong><code>**</code></strong> <em><code>*</code></em> <del><code>~~</code></del>'],
    ['*[a*b](https://example.com)*', '<em><a href="https://example.com">a*b</a></em>'],
    ['[*a](https://example.com) b*', '<a href="https://example.com">*a</a> b*'],
    ['**https://example.com/a**', '<strong><a href="https://example.com/a">https://example.com/a</a></strong>'],
    ['**a\nb** *a\nb* ~~a\nb~~', '**a<br>\nb** *a<br>\nb* ~~a<br>\nb~~'],
  ])('%j', (markdown, html) => expect(render(markdown, names)).toBe(`<p>${html}</p>`));
});

describe('code in a line', () => {
  test.each<[markdown: string, html: string]>([
    ['` a `', '<code> a </code>'],
    ['`` ` `` and ```x```', '<code> ` </code> and <code>x</code>'],
    ['`a\n b`', '<code>a\n b</code>'],
    ['`a `` b`', '<code>a `` b</code>'],
    ['`a and ``b', '`a and ``b'],
    ['`<&amp;>` \\`a`', '<code>&lt;&amp;amp;&gt;</code> \\<code>a</code>'],
    ['**`a** b`', '**<code>a** b</code>'],
  ])('%j', (markdown, html) => expect(render(markdown, names)).toBe(`<p>${html}</p>`));
});
