/** How the code of a language is read, where that differs from most languages. */
export interface Dialect {
  /** The grammar of highlight.js. */
  readonly grammar: string;
  /**
   * What text between recognized tokens is: `code` has names, operators and punctuation, `commands` has words without
   * a class instead of names, and `prose` is text.
   */
  readonly plain: 'code' | 'commands' | 'prose';
  /** Class of names without another one: `n` if left out. */
  readonly name?: string;
  /** Punctuation that counts as operators. */
  readonly operators?: string;
  /** Class of punctuation in prose. */
  readonly braces?: string;
  /** Class of quoted strings, where it does not depend on the quote. */
  readonly string?: string;
  /** A name of several parts follows a keyword of class `kn`. */
  readonly namespaces?: boolean;
  /** Classes of scopes that differ from those of most languages, `''` for code. */
  readonly scopes?: Readonly<Record<string, string>>;
  /** Classes of single words, whatever their scope: words of code in a string with spaces. */
  readonly words?: Readonly<Record<string, string>>;
}

const code = (grammar: string, more: Partial<Dialect> = {}): Dialect => ({ grammar, plain: 'code', ...more });
const commands = (grammar: string, more: Partial<Dialect> = {}): Dialect => ({ grammar, plain: 'commands', ...more });
const prose = (grammar: string, more: Partial<Dialect> = {}): Dialect => ({ grammar, plain: 'prose', ...more });

const PYTHON = code('python', {
  operators: '.',
  namespaces: true,
  words: { kn: 'import from', ow: 'and in is not or', bp: 'self cls' },
});
const SCRIPT_WORDS = { k: 'super this', kd: 'class const function let var', kr: 'enum implements interface package' };
const SCRIPT = { name: 'nx', operators: ':', scopes: { 'variable.language': 'nb' } };
const JAVASCRIPT = code('javascript', { ...SCRIPT, words: SCRIPT_WORDS });
const TYPESCRIPT = code('typescript', {
  ...SCRIPT,
  words: { ...SCRIPT_WORDS, kt: 'any bigint boolean never number object string symbol unknown void' },
});
const JVM_DECLARATIONS =
  'abstract class enum extends final implements interface native override private protected public record sealed static super synchronized throws transient volatile';
const JSON_DATA = commands('json', { string: 's2', scopes: { attr: 'nt', keyword: 'kc' } });
const HTML = prose('xml', { scopes: { attr: 'na', string: 's', comment: 'c' } });
/** `<?php` is code, because what users send begins without it. */
const PHP = code('php', { name: 'nx', scopes: { meta: '' } });
const SQL = code('sql', { scopes: { built_in: 'k' } });
const LISP = commands('lisp', { string: 's', scopes: { name: 'nf' } });
const VERILOG = code('verilog', { string: 's' });

/** Dialects by the language's name in Pygments, of languages with rules of their own. */
const WITH_RULES: Readonly<Record<string, Dialect>> = {
  Bash: commands('bash'),
  'Bash Session': prose('shell'),
  C: code('c', { string: 's', words: { kt: 'bool' } }),
  'C#': code('csharp', { string: 's', scopes: { built_in: 'kt' } }),
  'C++': code('cpp', { string: 's' }),
  CMake: commands('cmake'),
  CSS: commands('css', { scopes: { attribute: 'k', comment: 'c' } }),
  Clojure: commands('clojure', { string: 's', scopes: { name: 'nf' } }),
  'Common Lisp': LISP,
  Diff: prose('diff', { scopes: { meta: 'gu', comment: 'gh' } }),
  Docker: commands('dockerfile'),
  EmacsLisp: LISP,
  Go: code('go', {
    name: 'nx',
    string: 's',
    words: { kn: 'import package', kd: 'chan const func interface map struct type var' },
  }),
  'CSS+PHP': PHP,
  HTML,
  'HTML+PHP': PHP,
  Haskell: code('haskell', { string: 's', scopes: { keyword: 'kr', title: 'nf' } }),
  INI: commands('ini', { scopes: { section: 'k', attr: 'na' } }),
  JSON: JSON_DATA,
  'JSON-LD': JSON_DATA,
  Java: code('java', { string: 's', namespaces: true, words: { kn: 'import package', kd: JVM_DECLARATIONS } }),
  JavaScript: JAVASCRIPT,
  'JavaScript+PHP': PHP,
  Kotlin: code('kotlin', {
    string: 's',
    namespaces: true,
    words: { kn: 'import package', kd: `fun object val var ${JVM_DECLARATIONS}` },
  }),
  Makefile: commands('makefile', { scopes: { section: 'nf' } }),
  Markdown: prose('markdown', { scopes: { section: 'gh', code: 'sb', link: 'na', symbol: 'nl', quote: 'ge' } }),
  MySQL: SQL,
  'PostgreSQL SQL dialect': SQL,
  PHP,
  PowerShell: commands('powershell', { scopes: { variable: 'nv' } }),
  Properties: commands('properties', { scopes: { attr: 'na' } }),
  Python: PYTHON,
  'Python 2.x': PYTHON,
  'Python console session': code('python-repl', { operators: '.' }),
  Ruby: code('ruby', { operators: '.', words: { ow: 'and not or' } }),
  Rust: code('rust', { string: 's', words: { kd: 'let' }, scopes: { built_in: 'fm', symbol: 'nl' } }),
  S: code('r', { scopes: { keyword: 'kr' } }),
  SCSS: commands('scss', { scopes: { attribute: 'k' } }),
  SQL,
  Scala: code('scala', {
    string: 's',
    namespaces: true,
    words: { kn: 'import package', kd: `def object trait type val var ${JVM_DECLARATIONS}` },
  }),
  Scheme: commands('scheme', { string: 's', scopes: { name: 'nf' } }),
  Swift: code('swift', {
    string: 's',
    words: {
      kd: 'class deinit enum extension func import init internal let operator private protocol public static struct subscript typealias var',
    },
  }),
  TOML: commands('ini', { scopes: { section: 'k', attr: 'n' } }),
  TeX: prose('latex', { braces: 'nb', scopes: { comment: 'c' } }),
  TypeScript: TYPESCRIPT,
  XML: HTML,
  'XML+PHP': PHP,
  YAML: commands('yaml', { scopes: { attr: 'nt' } }),
  // Not known to Pygments, but common.
  jsx: JAVASCRIPT,
  tsx: TYPESCRIPT,
  systemverilog: VERILOG,
  verilog: VERILOG,
};

/** Grammars by the language's name in Pygments, of languages without rules of their own. */
const GRAMMARS: Readonly<Record<string, string>> = {
  ActionScript: 'actionscript',
  Ada: 'ada',
  AppleScript: 'applescript',
  Arduino: 'arduino',
  AspectJ: 'aspectj',
  AutoIt: 'autoit',
  Awk: 'awk',
  Crystal: 'crystal',
  D: 'd',
  Dart: 'dart',
  Delphi: 'delphi',
  Elixir: 'elixir',
  Elm: 'elm',
  Erlang: 'erlang',
  'F#': 'fsharp',
  Fortran: 'fortran',
  GLSL: 'glsl',
  GraphQL: 'graphql',
  Groovy: 'groovy',
  Haxe: 'haxe',
  Julia: 'julia',
  LLVM: 'llvm',
  Lua: 'lua',
  Mathematica: 'mathematica',
  Matlab: 'matlab',
  NASM: 'x86asm',
  Nimrod: 'nim',
  Nix: 'nix',
  OCaml: 'ocaml',
  'Objective-C': 'objectivec',
  Perl: 'perl',
  Prolog: 'prolog',
  'Protocol Buffer': 'protobuf',
  Puppet: 'puppet',
  QBasic: 'basic',
  Smalltalk: 'smalltalk',
  'Standard ML': 'sml',
  Stan: 'stan',
  Tcl: 'tcl',
  Thrift: 'thrift',
  'VB.net': 'vbnet',
  VHDL: 'vhdl',
  Vala: 'vala',
  WebAssembly: 'wasm',
};

/** The same, of languages that consist of commands or markup. */
const COMMAND_GRAMMARS: Readonly<Record<string, string>> = {
  ApacheConf: 'apache',
  Batchfile: 'dos',
  CoffeeScript: 'coffeescript',
  Gherkin: 'gherkin',
  LessCss: 'less',
  'Nginx configuration file': 'nginx',
  Racket: 'scheme',
  VimL: 'vim',
};

/** Dialects by their grammar, for code inside of other code: scripts in HTML. */
export const dialectOfGrammar = (grammar: string): Dialect | undefined =>
  Object.values(WITH_RULES).find((dialect) => dialect.grammar === grammar);

/** Dialects by the language's name in Pygments. Other languages are shown without colours. */
export const DIALECTS: ReadonlyMap<string, Dialect> = new Map([
  ...Object.entries(WITH_RULES),
  ...Object.entries(GRAMMARS).map(([name, grammar]) => [name, code(grammar)] as const),
  ...Object.entries(COMMAND_GRAMMARS).map(([name, grammar]) => [name, commands(grammar)] as const),
]);
