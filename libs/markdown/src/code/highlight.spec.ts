import fc from 'fast-check';
import { CLASSES } from './classes';
import { codeHtml } from './code-html';
import { DIALECTS } from './dialects';
import { highlighted } from './highlight';
import { languageName } from './languages';

/** Each word of some code with its class, which is shorter to read than spans. */
function classified(code: string, language: string): string {
  const dialect = DIALECTS.get(languageName(language));
  if (!dialect) throw new Error(`no dialect for ${language}`);
  return textOf(highlighted(code, dialect).replace(/<span class="(\w+)">(.*?)<\/span>/g, '$1⟨$2⟩'));
}

const ENTITIES = { '&quot;': '"', '&#39;': "'", '&lt;': '<', '&gt;': '>', '&amp;': '&' };
const textOf = (html: string): string =>
  html.replace(/<[^>]*>/g, '').replace(/&[^;]+;/g, (entity) => ENTITIES[entity as keyof typeof ENTITIES]);

test.each([
  [
    'py',
    'async def f(self, x=0x1F) -> None:',
    'k⟨async⟩ k⟨def⟩ nf⟨f⟩p⟨(⟩bp⟨self⟩p⟨,⟩ n⟨x⟩o⟨=⟩mh⟨0x1F⟩p⟨)⟩ o⟨->⟩ kc⟨None⟩p⟨:⟩',
  ],
  ['py', 'import os.path as p', 'kn⟨import⟩ nn⟨os.path⟩ k⟨as⟩ n⟨p⟩'],
  ['py', '"""a\nb"""\nx = """c"""', 'sd⟨"""a⟩\nsd⟨b"""⟩\nn⟨x⟩ o⟨=⟩ s2⟨"""c"""⟩'],
  ['py', 'f"a{x}" and not b\'\' # c', 's2⟨f"a⟩si⟨{⟩n⟨x⟩si⟨}⟩s2⟨"⟩ ow⟨and⟩ ow⟨not⟩ s1⟨b\'\'⟩ c1⟨# c⟩'],
  ['py', '@a.b\nclass A: x = 1.5', 'nd⟨@a.b⟩\nk⟨class⟩ nc⟨A⟩p⟨:⟩ n⟨x⟩ o⟨=⟩ mf⟨1.5⟩'],
  [
    'js',
    'const f = (a) => `t${a + 1}`',
    'kd⟨const⟩ nf⟨f⟩ o⟨=⟩ p⟨(⟩nx⟨a⟩p⟨)⟩ o⟨=>⟩ sb⟨`t⟩si⟨${⟩nx⟨a⟩ o⟨+⟩ mi⟨1⟩si⟨}⟩sb⟨`⟩',
  ],
  ['js', 'this.x = {k: null}; // c', 'k⟨this⟩p⟨.⟩nx⟨x⟩ o⟨=⟩ p⟨{⟩nx⟨k⟩o⟨:⟩ kc⟨null⟩p⟨};⟩ c1⟨// c⟩'],
  ['js', '/* a\n b */ x = /r/g', 'cm⟨/* a⟩\ncm⟨ b */⟩ nx⟨x⟩ o⟨=⟩ sr⟨/r/g⟩'],
  ['ts', 'interface A { x: string }', 'kr⟨interface⟩ nx⟨A⟩ p⟨{⟩ nx⟨x⟩o⟨:⟩ kt⟨string⟩ p⟨}⟩'],
  ['java', '@A public int f() { return "s"; }', 'nd⟨@A⟩ kd⟨public⟩ kt⟨int⟩ nf⟨f⟩p⟨()⟩ p⟨{⟩ k⟨return⟩ s⟨"s"⟩p⟨;⟩ p⟨}⟩'],
  ['c', "#include <a.h>\nchar c = 'c';", "cp⟨#include ⟩cpf⟨<a.h>⟩\nkt⟨char⟩ n⟨c⟩ o⟨=⟩ sc⟨'c'⟩p⟨;⟩"],
  ['go', 'package a\nfunc f(x int) {}', 'kn⟨package⟩ nx⟨a⟩\nkd⟨func⟩ nf⟨f⟩p⟨(⟩nx⟨x⟩ kt⟨int⟩p⟨)⟩ p⟨{}⟩'],
  ['rust', "fn f<'a>() { println!() }", "k⟨fn⟩ nf⟨f⟩o⟨<⟩nl⟨'a⟩o⟨>⟩p⟨()⟩ p⟨{⟩ fm⟨println!⟩p⟨()⟩ p⟨}⟩"],
  [
    'sh',
    '#!/bin/sh\nif "$A"; then echo \'x\' | b --no-c; fi',
    'ch⟨#!/bin/sh⟩\nk⟨if⟩ s2⟨"⟩nv⟨$A⟩s2⟨"⟩p⟨;⟩ k⟨then⟩ nb⟨echo⟩ s1⟨\'x\'⟩ o⟨|⟩ b --no-cp⟨;⟩ k⟨fi⟩',
  ],
  ['console', '$ ls -l\nfile', 'gp⟨$⟩ nb⟨ls⟩ -l\nfile'],
  ['html', '<!-- c --><a b="x">t = 1</a>', 'c⟨<!-- c -->⟩p⟨<⟩nt⟨a⟩ na⟨b⟩o⟨=⟩s⟨"x"⟩p⟨>⟩t = 1p⟨</⟩nt⟨a⟩p⟨>⟩'],
  ['html', '<script>let x = 1;</script>', 'p⟨<⟩nt⟨script⟩p⟨>⟩kd⟨let⟩ nx⟨x⟩ o⟨=⟩ mi⟨1⟩p⟨;</⟩nt⟨script⟩p⟨>⟩'],
  ['css', 'a.b { color: #fff } /* c */', 'nt⟨a⟩nc⟨.b⟩ p⟨{⟩ k⟨color⟩p⟨:⟩ mi⟨#fff⟩ p⟨}⟩ c⟨/* c */⟩'],
  ['json', '{"a": [true, "s"]}', 'p⟨{⟩nt⟨"a"⟩p⟨:⟩ p⟨[⟩kc⟨true⟩p⟨,⟩ s2⟨"s"⟩p⟨]}⟩'],
  ['yaml', "a: b\nc: 'd' # e", "nt⟨a⟩p⟨:⟩ l⟨b⟩\nnt⟨c⟩p⟨:⟩ s1⟨'d'⟩ c1⟨# e⟩"],
  ['sql', "SELECT a FROM t WHERE x = 'y' -- c", "k⟨SELECT⟩ n⟨a⟩ k⟨FROM⟩ n⟨t⟩ k⟨WHERE⟩ n⟨x⟩ o⟨=⟩ s1⟨'y'⟩ c1⟨-- c⟩"],
  ['diff', '@@ -1 +1 @@\n-x\n+y\n z', 'gu⟨@@ -1 +1 @@⟩\ngd⟨-x⟩\ngi⟨+y⟩\n z'],
  ['php', 'f($x, "a$x");', 'nx⟨f⟩p⟨(⟩nv⟨$x⟩p⟨,⟩ s2⟨"a⟩nv⟨$x⟩s2⟨"⟩p⟨);⟩'],
  ['ruby', '@y = :s if x and nil', 'vi⟨@y⟩ o⟨=⟩ ss⟨:s⟩ k⟨if⟩ n⟨x⟩ ow⟨and⟩ kc⟨nil⟩'],
  ['md', '# H\n*e* **s** `c`', 'gh⟨# H⟩\nge⟨*e*⟩ gs⟨**s**⟩ sb⟨`c`⟩'],
  ['ini', '[s]\na=b ; c', 'k⟨[s]⟩\nna⟨a⟩o⟨=⟩b c1⟨; c⟩'],
  ['tex', '\\pi{ is } % c', 'k⟨\\pi⟩nb⟨{⟩ is nb⟨}⟩ c⟨% c⟩'],
])('%s: %j', (language, code, expected) => expect(classified(code, language)).toBe(expected));

const TOKENS = [
  'a',
  'class ',
  '(',
  ')',
  '{',
  '}',
  '"',
  "'",
  '`',
  '#',
  '//',
  '/*',
  '<',
  '>',
  '&',
  '\n',
  ' ',
  '1',
  '$x',
  '@',
  '\\',
  ':',
  '=',
  '<b c="d">',
  '${',
  '[',
  'é',
];

test.each([...DIALECTS.keys()])('%s is highlighted in classes of Pygments, and its text stays', (language) => {
  const dialect = DIALECTS.get(language);
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...TOKENS), { maxLength: 30 }), (pieces) => {
      const html = dialect ? highlighted(pieces.join(''), dialect) : '';
      expect(textOf(html)).toBe(pieces.join(''));
      expect(html).toMatch(/^(?:[^<>]|<span class="\w+">[^<>\n]+<\/span>)*$/);
      for (const [, name = ''] of html.matchAll(/class="(\w+)"/g)) expect(CLASSES).toContain(name);
    }),
    { numRuns: 5 },
  );
});

describe('work is bounded', () => {
  const run = () => ({ code: 0 }) as Parameters<typeof codeHtml>[2];

  test('by the length of a line, of a block and of a text', () => {
    const block = 'x = 1\n'.repeat(1_000);
    const shared = run();
    expect(codeHtml(block, 'py', shared).html).toContain('<span');
    expect(codeHtml(block, 'py', shared).html).toBe(block);
    expect(codeHtml('x', 'py', shared).html).toContain('<span');
    expect(codeHtml(`${block}y`, 'py', run()).html).toBe(`${block}y`);
    expect(codeHtml('x'.repeat(1_001), 'py', run()).html).toBe('x'.repeat(1_001));
  });

  /** How often regular expressions are tried: the cost, without a clock. */
  function attempts(code: string, language: string): number {
    const exec = jest.spyOn(RegExp.prototype, 'exec');
    codeHtml(code, language, run());
    const { length } = exec.mock.calls;
    exec.mockRestore();
    return length;
  }

  test.each([
    ['java', '$'],
    ['c', '"'],
    ['cpp', 'a('],
    ['cs', 'if '],
    ['toml', '-'],
    ['html', '<a b='],
    ['html', '<script>'],
    ['php', 'aA'],
    ['js', '`${'],
    ['py', 'f"{'],
    ['bash', '"$('],
    ['md', '[a]('],
    ['tex', '\\begin{a}'],
    ['yaml', '- '],
  ])('twice as much %s of %j is at most about twice as much work', (language, piece) => {
    const fill = (length: number) => `${piece.repeat(40)}\n`.repeat(Math.floor(length / (40 * piece.length + 1)));
    codeHtml('a', language, run());
    expect(attempts(fill(6_000), language)).toBeLessThan(2.5 * attempts(fill(3_000), language) + 500);
  });
});

test.each([
  ['py', 'Python'],
  ['PY2', 'Python 2.x'],
  ['c++', 'C++'],
  ['latex', 'TeX'],
  ['r', 'S'],
  ['Klingon', 'klingon'],
  ['constructor', 'constructor'],
])('the language of %s is %s', (written, name) => expect(languageName(written)).toBe(name));
