import { newMathBudget, typeset } from '../math/tex';
import { names } from '../spec-support/examples';
import { render } from '../render';

function code(text: string, language = ''): string {
  const attribute = language && ` data-code-language="${language}"`;
  return `<div class="codehilite"${attribute}><pre><span></span><code>${text}</code></pre></div>`;
}

const span = (name: string, text: string) => `<span class="${name}">${text}</span>`;

type Row = [markdown: string, html: string];

describe('fences', () => {
  test.each<Row>([
    ['```\na <b>\n\n  b\n```\nafter', `${code('a &lt;b&gt;\n\n  b\n')}\n<p>after</p>`],
    ['```python\nx = 1\n```', code(`${span('n', 'x')} ${span('o', '=')} ${span('mi', '1')}\n`, 'Python')],
    ['~~~~.c++\nx;\n~~~~', code(`${span('n', 'x')}${span('p', ';')}\n`, 'C++')],
    ['``` {.ruby}\nunclosed', code(`${span('n', 'unclosed')}\n`, 'Ruby')],
    ['    indented', code('indented\n')],
    ['````\n```\ninner\n```\n````', code('```\ninner\n```\n')],
    ['``` code ```', '<p><code> code </code></p>'],
    ['```js of course\nx', code(`${span('nx', 'x')}\n`, 'JavaScript')],
    ['```PY3\nx\n```', code(`${span('n', 'x')}\n`, 'Python')],
    ['```Klingon\nx\n```', code('x\n', 'klingon')],
    ['```\n"it\'s"\n```\n```x\n"it\'s"\n```', `${code('&quot;it&#39;s&quot;\n')}\n${code('"it\'s"\n', 'x')}`],
    ['```\n#!/usr/bin/env python\nx\n```', code(`${span('ch', '#!/usr/bin/env python')}\n${span('n', 'x')}\n`)],
    ['```constructor\nx\n```', code('x\n', 'constructor')],
    ['```\n\n\n  a \t\n\nb  \n\n```', code('  a\n\nb\n')],
    ['```\n```', code('')],
    ['```a~b\nx', '<p>```a~b<br>\nx</p>'],
    ['```“a”\nx', '<p>```“a”<br>\nx</p>'],
    ['~~~ quote of **Hamlet**\nTo be\n~~~', '<blockquote>\n<p>To be</p>\n</blockquote>'],
    ['* ```js\n  x\n  ```\n* y', `<ul>\n<li>\n${code(`${span('nx', 'x')}\n`, 'JavaScript')}\n</li>\n<li>y</li>\n</ul>`],
    ['```quote\nTo be\n\nor not\n```\nbe', '<blockquote>\n<p>To be</p>\n<p>or not</p>\n</blockquote>\n<p>be</p>'],
    [
      '```quote\nfirst\n```quote\nsecond\n```js\nx\n```\n```\nfirst\n```\nout',
      `<blockquote>\n<p>first</p>\n<blockquote>\n<p>second</p>\n${code(`${span('nx', 'x')}\n`, 'JavaScript')}\n</blockquote>\n<p>first</p>\n</blockquote>\n<p>out</p>`,
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
  const katex = (source: string, display: 'block' | 'inline' = 'inline'): string => {
    const result = typeset(source, display, newMathBudget());
    return typeof result === 'object' ? result.html : result;
  };

  test.each<Row>([
    ['so $$a_1 < **b**$$.', `<p>so ${katex('a_1 < **b**')}.</p>`],
    ['($$p \\le 9\\$$$)', `<p>(${katex('p \\le 9\\$')})</p>`],
    ['```math\nx^2\n```', `<p>${katex('x^2', 'block')}</p>`],
    ['```math\nx^2\n\n\ny\n\n```', `<p>${katex('x^2', 'block')}\n\n${katex('y', 'block')}</p>`],
    ['```math\n```\nx', '<p>x</p>'],
    ['$$\\no{"<*>"}$$', '<p><span class="tex-error">$$\\no{"&lt;*&gt;"}$$</span></p>'],
    ['```math\n\\no{"\'"}\n```', '<p><span class="tex-error">\\no{&quot;&#x27;&quot;}</span></p>'],
    [
      `$$${'x'.repeat(1_001)}$$`,
      `<p><span class="katex"><span class="katex-mathml"><math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mtext>${'x'.repeat(1_001)}</mtext>` +
        `<annotation encoding="application/x-tex">${'x'.repeat(1_001)}</annotation></semantics></math></span>` +
        `<span class="katex-html" aria-hidden="true">${'x'.repeat(1_001)}</span></span></p>`,
    ],
    ['US$$5 for $$x$$s or $$y$$', `<p>US$$5 for $$x$$s or ${katex('y')}</p>`],
    ['from $5 to $20, $$$ and $$_$$', '<p>from $5 to $20, $$$ and $$_$$</p>'],
    ['$$a=1\nb=2$$', '<p>$$a=1<br>\nb=2$$</p>'],
    ['`$$x$$`', '<p><code>$$x$$</code></p>'],
  ])('%j', (markdown, html) => expect(render(markdown, names)).toBe(html));
});
