import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `npm run language-names -- <wheel>` writes the names of the languages of Pygments from its package of PyPI, whose
 * license is in NOTICE: `pip download --no-deps pygments==2.21.0` downloads the wheel. Another version needs another
 * digest here.
 */
const SHA256 = '2363c69b61c4a97c838da3b130dcd6468f4848992b21a82f2a63ec34377137d9';
const TARGET = join(__dirname, '..', '..', 'libs', 'markdown', 'src', 'code', 'pygments-languages.ts');

const [wheel] = process.argv.slice(2);
if (wheel === undefined) throw new Error('usage: npm run language-names -- <wheel>');
const digest = createHash('sha256').update(readFileSync(wheel)).digest('hex');
if (digest !== SHA256) throw new Error(`${wheel} is not the wheel that is known: its SHA-256 is ${digest}`);

/** Characters in a line of the file. */
const LINE = 400;
/** A line of the table: `'AdaLexer': ('pygments.lexers.ada', 'Ada', ('ada', 'ada95'), …`. */
const LEXER = /^ {4}'\w+': \('[\w.]+', (?:'([^']*)'|"([^"]*)"), \(([^)]*)\)/gm;
const source = execFileSync('unzip', ['-p', wheel, 'pygments/lexers/_mapping.py'], { encoding: 'utf8' });
const languages = [...source.matchAll(LEXER)].map(([, single, double, aliases = '']) =>
  [single ?? double ?? '', ...[...aliases.matchAll(/'([^']+)'/g)].map(([, alias = '']) => alias)].join('|'),
);

const lines = [''];
for (const one of languages) {
  const last = lines.at(-1) ?? '';
  if (last.length + one.length > LINE) lines.push(one);
  else lines[lines.length - 1] = last === '' ? one : `${last};${one}`;
}
writeFileSync(
  TARGET,
  `// Written by npm run language-names from Pygments 2.21.0; see NOTICE for its license.

/** Languages of Pygments, separated by semicolons and line ends: the name, then what users write after a fence. */
export const PYGMENTS_LANGUAGES = \`
${lines.join('\n')}
\`;
`,
);
