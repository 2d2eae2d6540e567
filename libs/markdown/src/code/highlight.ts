import { createRequire } from 'node:module';
import { classOf, wordClass } from './classes';
import { dialectOfGrammar } from './dialects';
import type { Dialect } from './dialects';
import { HighlightedCode } from './highlighted-code';

/** The part of highlight.js that is used. Its own types bring those of browsers into the whole program. */
interface Highlighter {
  highlight(code: string, options: { language: string; ignoreIllegals: true }): { readonly value: string };
}
let loaded: Highlighter | undefined;

/** Its grammars take some 50 ms to load, which most commands need not wait for. */
const highlighter = (): Highlighter => (loaded ??= createRequire(__filename)('highlight.js') as Highlighter);

/** The pieces of the HTML of highlight.js: a beginning with its classes, an end, or text. */
const PIECES = /<span class="([^"]*)">|(<\/span>)|([^<]+)/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
};
const CODE = /([\p{L}_$][\p{L}\p{N}_$]*)|([()[\]{},;:.]+)|([-+*/%=<>!&|^~?]+)|[^]/gu;
/** Commands have words like `--no-color` and `a.b/c`. */
const COMMANDS = /([^\s()[\]{},;:=<>|&"']+)|([()[\]{},;:]+)|([=<>|&]+)|[^]/gu;

/** A scope that is open, with its class once it has text. `null` is code. */
interface OpenScope {
  readonly name: string;
  readonly around: string;
  readonly dialect: Dialect;
  cls?: string | null;
}

/** Reads what highlight.js recognized and writes it with the classes of Pygments. */
class Translation {
  private readonly highlighted = new HighlightedCode();
  private readonly open: OpenScope[] = [];
  /** Whether a name that follows is the one of a module. */
  private expectsModule = false;

  constructor(private readonly outermost: Dialect) {}

  private get dialect(): Dialect {
    return this.open.at(-1)?.dialect ?? this.outermost;
  }

  translate(html: string): string {
    for (const [, classes, end, text] of html.matchAll(PIECES)) {
      if (classes !== undefined) this.begin(classes);
      else if (end !== undefined) this.open.pop();
      else if (text !== undefined)
        this.text(text.replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => ENTITIES[entity] ?? ''));
    }
    return this.highlighted.toHtml();
  }

  private begin(classes: string): void {
    const inner = /^language-(.+)$/.exec(classes)?.[1];
    const dialect = (inner === undefined ? undefined : dialectOfGrammar(inner)) ?? this.dialect;
    this.open.push({ name: scopeOf(classes), around: this.open.at(-1)?.name ?? '', dialect });
  }

  private text(text: string): void {
    const scope = this.open.findLast(({ name }) => name !== 'doctag');
    if (!scope) return this.plain(text);
    if (scope.name === 'tag') return this.inTag(text);
    if (scope.name === 'subst') return this.interpolated(text);
    scope.cls ??= this.classOf(scope, text) ?? null;
    if (scope.cls === null) return this.plain(text);
    const isModule = scope.cls === 'kn' && this.dialect.namespaces === true && this.highlighted.beginsLine;
    this.write(text, scope.cls);
    this.expectsModule = isModule;
  }

  private classOf({ name, around }: OpenScope, text: string): string | undefined {
    return classOf({ scope: name, around, text, beginsLine: this.highlighted.beginsLine }, this.dialect);
  }

  /** Strings and comments keep their spaces. The colon behind a key is not part of it. */
  private write(text: string, name: string): void {
    if (name === 'nt' && text.endsWith(':')) {
      this.highlighted.add(text.slice(0, -1), name);
      this.highlighted.add(':', 'p');
    } else if (/^[cs]/.test(name)) this.highlighted.add(text, name);
    else this.highlighted.addTrimmed(text, name);
  }

  /** Between what was recognized: names, operators and punctuation. */
  private plain(text: string): void {
    const { plain, name = 'n', operators = '', braces } = this.dialect;
    if (plain === 'prose') {
      if (braces === undefined) return this.highlighted.add(text, '');
      return text.split(/([{}])/).forEach((part) => this.highlighted.add(part, /[{}]/.test(part) ? braces : ''));
    }
    for (const [piece, word, punctuation, operator] of text.matchAll(plain === 'code' ? CODE : COMMANDS)) {
      if (this.expectsModule && (word !== undefined || piece === '.')) {
        this.highlighted.add(piece, 'nn');
        continue;
      }
      if (piece.trim() !== '' || piece === '\n') this.expectsModule = false;
      if (word !== undefined)
        this.highlighted.add(word, wordClass(word, this.dialect) ?? (plain === 'code' ? name : ''));
      else if (punctuation !== undefined)
        for (const sign of punctuation) this.highlighted.add(sign, operators.includes(sign) ? 'o' : 'p');
      else this.highlighted.add(piece, operator === undefined ? '' : 'o');
    }
  }

  /** The brackets of `<a href="…">`. */
  private inTag(text: string): void {
    for (const part of text.split(/([<>/?]+|=)/))
      this.highlighted.add(part, /^[<>/?]/.test(part) ? 'p' : part === '=' ? 'o' : '');
  }

  /** `${code}` in a string. */
  private interpolated(text: string): void {
    for (const part of text.split(/([$#]?\{|\})/)) {
      if (/[{}]/.test(part)) this.highlighted.add(part, 'si');
      else if (/^\$\w+$/.test(part)) this.highlighted.add(part, 'nv');
      else this.plain(part);
    }
  }
}

/** `hljs-title function_` is the scope `title.function`. The classes of a language inside another one group only. */
const scopeOf = (classes: string): string =>
  classes.startsWith('hljs-')
    ? classes
        .slice(5)
        .replaceAll(' ', '.')
        .replace(/_+(?=\.|$)/g, '')
    : 'language';

/** Code of a dialect as HTML in the classes of Pygments. */
export function highlighted(code: string, dialect: Dialect): string {
  const { value } = highlighter().highlight(code, { language: dialect.grammar, ignoreIllegals: true });
  return new Translation(dialect).translate(value);
}
