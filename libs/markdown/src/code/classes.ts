import type { Dialect } from './dialects';

/** Short names of Pygments' token types that are written here. Clients colour these and refuse others. */
export const CLASSES: ReadonlySet<string> = new Set(
  (
    'bp c c1 ch cm cp cpf fm gd ge gh gi gp gs gu k kc kd kn kr kt l m mb mf mh mi mo n na nb nc nd nf nl nn nt nv nx ' +
    'o ow p s s1 s2 sa sb sc sd se si sr ss vi vg'
  ).split(' '),
);

/**
 * Classes of Pygments by the scopes of highlight.js. Scopes that are missing group others, and the text in them is
 * code.
 */
const BY_SCOPE: Readonly<Record<string, string>> = {
  keyword: 'k',
  built_in: 'nb',
  type: 'kt',
  literal: 'kc',
  operator: 'o',
  punctuation: 'p',
  regexp: 'sr',
  'char.escape': 'se',
  symbol: 'ss',
  variable: 'nv',
  'variable.language': 'bp',
  title: 'nf',
  'title.class': 'nc',
  'title.class.inherited': 'nc',
  'title.function': 'nf',
  'meta.prompt': 'gp',
  section: 'gh',
  name: 'nt',
  attribute: 'na',
  bullet: 'p',
  code: 'sb',
  emphasis: 'ge',
  strong: 'gs',
  link: 'na',
  quote: 'ge',
  'selector-tag': 'nt',
  'selector-id': 'nn',
  'selector-class': 'nc',
  'selector-attr': 'na',
  'selector-pseudo': 'nd',
  'template-tag': 'cp',
  'template-variable': 'nv',
  addition: 'gi',
  deletion: 'gd',
};

/** Scopes whose text is like other code, although a part of their name has a class. */
const CODE_SCOPES: ReadonlySet<string> = new Set(['title.function.invoke', 'variable.constant']);

/** A scope with its first text and the scope around it. */
export interface ScopedText {
  readonly scope: string;
  readonly around: string;
  readonly text: string;
  /** Whether the text is the first in its line, but for spaces. */
  readonly beginsLine: boolean;
}

/** The class of a scope, or undefined if the text in it is code. */
export function classOf(scoped: ScopedText, dialect: Dialect): string | undefined {
  const { scope, around, text } = scoped;
  const ofWord = wordClass(text, dialect);
  if (ofWord !== undefined && around !== 'meta') return ofWord;
  const ofLanguage = dialect.scopes?.[scope];
  if (ofLanguage !== undefined) return ofLanguage === '' ? undefined : ofLanguage;
  switch (scope) {
    case 'comment':
      return commentClass(text);
    case 'string':
      return around === 'meta' ? 'cpf' : stringClass(scoped, dialect);
    case 'number':
      return numberClass(text);
    case 'meta':
      return metaClass(text);
    case 'keyword':
      if (around === 'meta') return 'cp';
      break;
    case 'variable':
      if (text.startsWith('@')) return 'vi';
  }
  return CODE_SCOPES.has(scope) ? undefined : usualClass(scope);
}

/** `title.function.invoke` is like `title.function` where nothing else is said. */
function usualClass(scope: string): string | undefined {
  for (let at = scope; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) {
    const name = BY_SCOPE[at];
    if (name !== undefined) return name;
  }
  return undefined;
}

const wordsOf = new WeakMap<Dialect, ReadonlyMap<string, string>>();

/** The class of a word that the language treats differently. */
export function wordClass(word: string, dialect: Dialect): string | undefined {
  let words = wordsOf.get(dialect);
  if (!words) {
    const entries = Object.entries(dialect.words ?? {});
    words = new Map(entries.flatMap(([name, list]) => list.split(' ').map((one) => [one, name] as const)));
    wordsOf.set(dialect, words);
  }
  return words.get(word);
}

function commentClass(text: string): string {
  if (text.startsWith('#!')) return 'ch';
  return /^(?:\/\*|<!--|\{-|\(\*|""")/.test(text) ? 'cm' : 'c1';
}

function metaClass(text: string): string {
  if (text.startsWith('#!')) return 'ch';
  if (/^['"]/.test(text)) return 's1';
  return text.trimStart().startsWith('@') ? 'nd' : 'cp';
}

/** A string is classified by its quote, behind a prefix like `rb`. */
function stringClass({ text, beginsLine }: ScopedText, dialect: Dialect): string {
  if (dialect.string !== undefined)
    return dialect.string === 's' && /^'(?:\\?.|\\.{2,5})'$/.test(text) ? 'sc' : dialect.string;
  const [, quotes = ''] = /^[a-z]{0,2}("""|'''|["'`])/i.exec(text) ?? [];
  if (quotes.length === 3 && beginsLine) return 'sd';
  switch (quotes.charAt(0)) {
    case '"':
      return 's2';
    case '`':
      return 'sb';
    case "'":
      return 's1';
    default:
      return dialect.plain === 'commands' ? 'l' : 's';
  }
}

function numberClass(text: string): string {
  if (/^[+-]?0x/i.test(text)) return 'mh';
  if (/^[+-]?0b/i.test(text)) return 'mb';
  if (/^[+-]?0o/i.test(text)) return 'mo';
  return /[.e]/i.test(text) ? 'mf' : 'mi';
}
