import { names } from '../spec-support/examples';
import { render } from '../render';

function code(text: string, language = ''): string {
  const attribute = language && ` data-code-language="${language}"`;
  return `<div class="codehilite"${attribute}><pre><span></span><code>${text}</code></pre></div>`;
}

type Row = [markdown: string, html: string];

describe('fences', () => {
  test.each<Row>([
    ['```\na <b>\n\n  b\n```\nafter', `${code('a &lt;b&gt;\n\n  b\n')}\n<p>after</p>`],
    ['```python\nx = 1\n```', code('x = 1\n', 'Python')],
    ['~~~~.c++\nx;\n~~~~', code('x;\n', 'C++')],
    ['``` {.ruby}\nunclosed', code('unclosed\n', 'Ruby')],
    ['    indented', code('indented\n')],
    ['````\n```\ninner\n```\n````', code('```\ninner\n```\n')],
    ['``` code ```', '<p><code> code </code></p>'],
    ['```js of course\nx', code('x\n', 'JavaScript')],
    ['```PY3\nx\n```', code('x\n', 'Python')],
    ['```Klingon\nx\n```', code('x\n', 'klingon')],
    ['```constructor\nx\n```', code('x\n', 'constructor')],
    ['```\n\n\n  a \t\n\nb  \n\n```', code('  a\n\nb\n')],
    ['```\n```', code('')],
    ['```a~b\nx', '<p>```a~b<br>\nx</p>'],
    ['```“a”\nx', '<p>```“a”<br>\nx</p>'],
    ['~~~ quote of **Hamlet**\nTo be\n~~~', '<blockquote>\n<p>To be</p>\n</blockquote>'],
    ['* ```js\n  x\n  ```\n* y', `<ul>\n<li>\n${code('x\n', 'JavaScript')}\n</li>\n<li>y</li>\n</ul>`],
    ['```quote\nTo be\n\nor not\n```\nbe', '<blockquote>\n<p>To be</p>\n<p>or not</p>\n</blockquote>\n<p>be</p>'],
    [
      '```quote\nfirst\n```quote\nsecond\n```js\nx\n```\n```\nfirst\n```\nout',
      `<blockquote>\n<p>first</p>\n<blockquote>\n<p>second</p>\n${code('x\n', 'JavaScript')}\n</blockquote>\n<p>first</p>\n</blockquote>\n<p>out</p>`,
    ],
    [
      '```spoiler The *end*\nthey lived\n```\nout',
      '<div class="spoiler-block"><div class="spoiler-header">\n<p>The <em>end</em></p>\n</div>' +
        '<div class="spoiler-content" aria-hidden="true">\n<p>they lived</p>\n</div></div>\n<p>out</p>',
    ],
    [
      '```spoiler\nhidden\n```',
      '<div class="spoiler-block"><div class="spoiler-header">\n</div>' +
        '<div class="spoiler-content" aria-hidden="true">\n<p>hidden</p>\n</div></div>',
    ],
  ])('%j', (markdown, html) => expect(render(markdown, names)).toBe(html));
});

describe('math', () => {
  const katex = (source: string, display = ''): string =>
    `<span class="katex"><span class="katex-mathml"><math xmlns="http://www.w3.org/1998/Math/MathML"${display}><semantics>` +
    `<mtext>${source}</mtext><annotation encoding="application/x-tex">${source}</annotation></semantics></math></span>` +
    `<span class="katex-html" aria-hidden="true">${source}</span></span>`;

  test.each<Row>([
    ['so $$a_1 < **b**$$.', `<p>so ${katex('a_1 &lt; **b**')}.</p>`],
    ['($$p \\le 9\\$$$)', `<p>(${katex('p \\le 9\\$')})</p>`],
    ['```math\nx^2\n```', `<p><span class="katex-display">${katex('x^2', ' display="block"')}</span></p>`],
    [
      '```math\nx^2\n\n\ny\n\n```',
      `<p><span class="katex-display">${katex('x^2', ' display="block"')}</span></p>\n` +
        `<p><span class="katex-display">${katex('y', ' display="block"')}</span></p>`,
    ],
    ['US$$5 for $$x$$s or $$y$$', `<p>US$$5 for $$x$$s or ${katex('y')}</p>`],
    ['from $5 to $20, $$$ and $$_$$', '<p>from $5 to $20, $$$ and $$_$$</p>'],
    ['$$a=1\nb=2$$', '<p>$$a=1<br>\nb=2$$</p>'],
    ['`$$x$$`', '<p><code>$$x$$</code></p>'],
  ])('%j', (markdown, html) => expect(render(markdown, names)).toBe(html));
});
