import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `npm run emoji-names -- <wheel>` writes the names of Zulip's emoji from a package of PyPI, whose license is in
 * NOTICE: `pip download --no-deps zulip-emoji-mapping==1.0.1` downloads the wheel. Another version needs another digest
 * here, and names whose meaning changes need a mark in stored texts (`earlierEmojiCode`).
 */
const SHA256 = 'dc5f2d182e60f483e8e72286259e294e62f709e60016649f9c1efa953105e934';
const TARGET = join(__dirname, '..', '..', 'libs', 'markdown', 'src', 'emoji', 'zulip-emoji.ts');
/** Characters in a line of the file. */
const LINE = 450;

type Table = Readonly<Record<string, { readonly canonical_name: string; readonly aliases: readonly string[] }>>;

const [wheel] = process.argv.slice(2);
if (wheel === undefined) throw new Error('usage: npm run emoji-names -- <wheel>');
const digest = createHash('sha256').update(readFileSync(wheel)).digest('hex');
if (digest !== SHA256) throw new Error(`${wheel} is not the wheel that is known: its SHA-256 is ${digest}`);

/** The table is a literal of Python that is JSON, except for commas at the end of lists. */
const source = execFileSync('unzip', ['-p', wheel, 'zulip_emoji_mapping/emoji_names.py'], { encoding: 'utf8' });
const literal = source.slice(source.indexOf('= {') + 2).replace(/,(\s*[\]}])/g, '$1');
const emoji = Object.entries(JSON.parse(literal) as Table).map(([code, { canonical_name: name, aliases }]) =>
  [code, name, ...aliases].join(' '),
);

const lines = [''];
for (const one of emoji) {
  const last = lines.at(-1) ?? '';
  if (last.length + one.length > LINE) lines.push(one);
  else lines[lines.length - 1] = last === '' ? one : `${last};${one}`;
}
writeFileSync(
  TARGET,
  `// Written by npm run emoji-names from zulip-emoji-mapping 1.0.1; see NOTICE for its license.

/** Zulip's emoji, separated by semicolons and line ends: the code, the canonical name, other names. */
export const ZULIP_EMOJI = \`
${lines.join('\n')}
\`;
`,
);
