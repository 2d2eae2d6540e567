import { isFormulaMarkup } from './markup';
import { newMathBudget, typeset } from './tex';

const one = (source: string) => typeset(source, 'inline', newMathBudget());

test('a formula is MathML with its source, and HTML', () => {
  expect(one('a^2')).toEqual({
    html: expect.stringMatching(
      /^<span class="katex"><span class="katex-mathml"><math .*<annotation encoding="application\/x-tex">a\^2<\/annotation>.*<span class="katex-html" aria-hidden="true">/s,
    ) as string,
  });
  expect(typeset('a^2', 'block', newMathBudget())).toEqual({
    html: expect.stringMatching(/^<span class="katex-display"><span class="katex">.*display="block"/s) as string,
  });
});

test.each([
  '\\frac{a}{b}',
  '\\sqrt[3]{\\left(\\frac{x}{y}\\right)^2}',
  '\\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\end{pmatrix}',
  '\\begin{aligned} a &= b \\\\ c &= d \\end{aligned} \\vcenter{a} \\pmb{b} \\hskip{1em}',
  '\\widehat{abc} \\overbrace{x+y}^{z} \\xrightarrow[a]{b}',
  '\\color{red} a \\textcolor{#00f}{b} \\colorbox{yellow}{c} \\fcolorbox{red}{blue}{d}',
  '\\cancel{a} \\boxed{b} \\underline{c} \\vec{d} \\not= \\rule{1em}{2em}',
  '\\Huge{\\text{ä 🙂 <b>}} \\mathbb{R} \\mathscr{L} \\phase{x}',
  '\\int_0^\\infty \\sum\\limits_{i=1}^n \\lim_{x \\to 0} \\dots \\begin{array}{c|c:c} 1 & 2 \\\\ \\hline 3 & 4 \\end{array}',
  '\\newcommand{\\a}[1]{#1+#1} \\a{\\a{x}}',
])('%s is typeset', (source) => expect(one(source)).toEqual({ html: expect.any(String) as string }));

test.each(['\\frac{a}', '\\nosuchcommand', '{', '}', '\\left(', 'a^b^c', '\\begin{x}', '&', '#', '\\verb'])(
  '%s is no formula',
  (source) => expect(one(source)).toBe('error'),
);

test.each([
  '\\href{javascript:alert(1)}{x}',
  '\\url{https://example.com}',
  '\\htmlClass{evil}{x}',
  '\\htmlStyle{position:fixed}{x}',
])('%s writes no link, class or style', (source) =>
  expect(one(source)).toEqual({ html: expect.not.stringMatching(/<[^>]*(?:href|evil|fixed)/) as string }),
);

test('users write nothing to the console', () => {
  const written = (['log', 'warn', 'error'] as const).map((name) => jest.spyOn(console, name));
  for (const source of ['\\message{a}', '\\errmessage{a}', '\\show a', '\\text{\u0e01}', '\\text{🙂}']) one(source);
  for (const spy of written) expect(spy).not.toHaveBeenCalled();
  jest.restoreAllMocks();
});

test('in a block there are numbered equations and diagrams', () => {
  for (const source of ['\\begin{align} a &= b \\tag{1} \\end{align}', '\\begin{CD} A @>a>> B \\end{CD}'])
    expect(typeset(source, 'block', newMathBudget())).toEqual({ html: expect.any(String) as string });
});

test('nothing is placed far away from the formula', () => {
  expect(one('a \\kern-500em b')).toBe('error');
  expect(one('\\raisebox{999em}{a}')).toEqual({ html: expect.stringContaining('top:-53em') as string });
});

describe('work is bounded', () => {
  test.each([
    ['long', 'x'.repeat(1_001)],
    ['deep', `${'{'.repeat(101)}${'}'.repeat(101)}`],
    ['expanded to many tokens', '\\def\\a#1{#1#1#1#1#1#1#1#1}\\a{\\a{\\a{\\a{\\a{x}}}}}'],
    ['that is endless', '\\def\\a{\\a}\\a'],
    ['that grows when it is defined', `\\def\\a{x}${'\\edef\\a{\\a\\a}'.repeat(30)}\\a`],
  ])('a formula %s is not typeset', (_name, source) => expect(one(source)).not.toHaveProperty('html'));

  test('a formula that was too much work counts like the longest', () => {
    const shared = newMathBudget();
    expect(typeset('\\def\\a#1{\\a{#1#1}}\\a{x}', 'inline', shared)).toBe('large');
    expect(shared.cost).toBeGreaterThan(1_000);
  });

  test('a text has room for some formulas', () => {
    const shared = newMathBudget();
    const results = Array.from({ length: 30 }, () => typeset('x+'.repeat(249) + 'x', 'inline', shared));
    const typesetOnes = results.filter((result) => typeof result === 'object');
    expect(typesetOnes.length).toBeGreaterThanOrEqual(1);
    expect(typesetOnes.length).toBeLessThanOrEqual(8);
    expect(results.at(-1)).toBe('large');
  });
});

test.each([
  '<span onclick="x"></span>',
  '<a href="https://example.com"></a>',
  '<img src="x">',
  '<span style="position:fixed;"></span>',
  '<span style="width:100em;"></span>',
  '<span style="background:url(x);"></span>',
  '<span><mi></span></mi>',
  '<span>',
  '</span>',
  '<script></script>',
  'a < b',
  '<math xmlns="http://example.com"></math>',
  '<path d="javascript:x"></path>',
])('%s is no markup of a formula', (html) => expect(isFormulaMarkup(html)).toBe(false));
