import { RE2JS } from 're2js';

/** Lines that belong together. A quote has the line above it that says who wrote it. */
export interface MailFragment {
  readonly kind: 'written' | 'signature' | 'quote' | 'answer';
  readonly lines: readonly string[];
}

/** Longer lines are neither the start of a quote nor that of a signature. */
const LONGEST_HEADER = 400;
const LONGEST_SIGNATURE = 100;
/** That many lines of a mail are compared with the patterns for starts of quotes. A mail has few that look like one. */
const MOST_HEADERS = 60;
/** Lines of a mail that are read. A message has far fewer. */
const MOST_LINES = 5_000;
/** Lines of the start of a quote that a mail program broke. */
const BROKEN_INTO = 3;
const LOOKS_LIKE_HEADER = /[:：>\]\-]$|(?:wrote|écrit|escribió|scritto|escreveu) ?$/;

/**
 * Splits a text as `email-reply-parser` does, with its patterns. The package itself runs them over the whole text, where they go back so
 * often that a hostile mail would keep a process busy for hours. Here they see short pieces only, without going back.
 */
export async function fragmentsOf(text: string): Promise<MailFragment[]> {
  const { starts, signatures } = await (patterns ??= compiled());
  const headers = new Headers(starts);
  const isSignature = (line: string) =>
    line !== '' && line.length <= LONGEST_SIGNATURE && signatures.some((one) => one.test(line));
  return split(headers.joined(text.split('\n', MOST_LINES)), headers, isSignature);
}

interface Patterns {
  readonly starts: readonly RE2JS[];
  readonly signatures: readonly RegExp[];
}

let patterns: Promise<Patterns> | null = null;

/** Compiles once, with the first mail. */
async function compiled(): Promise<Patterns> {
  const { default: package_ } = await import('email-reply-parser/lib/regex.js');
  const flag = (flags: string, letter: string, value: number) => (flags.includes(letter) ? value : 0);
  const starts = package_.answerHeadersRegex.map(({ source, flags }) =>
    RE2JS.compile(
      RE2JS.translateRegExp(source),
      flag(flags, 'm', RE2JS.MULTILINE) | flag(flags, 'i', RE2JS.CASE_INSENSITIVE),
    ),
  );
  return { starts, signatures: package_.signatureRegex };
}

/** From the last line to the first. */
function split(lines: readonly string[], headers: Headers, isSignature: (line: string) => boolean): MailFragment[] {
  const fragments: MailFragment[] = [];
  let below: string[] = [];
  let isQuote = false;
  const end = (kind: MailFragment['kind']) => {
    if (below.length > 0) fragments.push({ kind, lines: below.reverse() });
    below = [];
  };
  for (const line of [...lines].reverse()) {
    const last = below.at(-1);
    if (last !== undefined && isSignature(last)) end(isQuote ? 'quote' : 'signature');
    else if (last !== undefined && line.trim() === '' && headers.has(last)) end(isQuote ? 'quote' : 'answer');
    const isQuoted = line.startsWith('>');
    const continues = isQuoted === isQuote || (isQuote && (line.trim() === '' || headers.has(line)));
    if (!continues) end(isQuote ? 'quote' : 'written');
    if (below.length === 0) isQuote = isQuoted;
    below.push(isSignature(line) ? line : line.trimEnd());
  }
  const first = below.at(-1) ?? '';
  end(isQuote ? 'quote' : isSignature(first) ? 'signature' : 'written');
  return fragments.reverse();
}

/** The lines that start a quote. */
class Headers {
  private left = MOST_HEADERS;
  private readonly known = new Map<string, boolean>();

  constructor(private readonly patterns: readonly RE2JS[]) {}

  has(line: string): boolean {
    return this.test(line, (one, text) => one.matcher(text).find());
  }

  /** With each start of a quote in one line. */
  joined(lines: readonly string[]): string[] {
    const joined: string[] = [];
    for (let at = 0; at < lines.length;) {
      const count = this.has(lines[at] ?? '') ? 1 : this.broken(lines.slice(at, at + BROKEN_INTO));
      joined.push(lines.slice(at, at + count).join(' '));
      at += count;
    }
    return joined;
  }

  /** How many of these lines are one start of a quote. */
  private broken(lines: readonly string[]): number {
    for (let count = 2; count <= lines.length; count++) {
      if (lines[count - 1]?.trim() === '') return 1;
      if (this.test(lines.slice(0, count).join('\n'), (one, text) => one.matches(text))) return count;
    }
    return 1;
  }

  private test(text: string, isOne: (pattern: RE2JS, text: string) => boolean): boolean {
    if (text.length > LONGEST_HEADER) return false;
    const plain = text.replaceAll('\u00a0', ' ').trimEnd();
    if (!LOOKS_LIKE_HEADER.test(plain)) return false;
    const known = this.known.get(plain);
    if (known !== undefined) return known;
    if (this.left === 0) return false;
    this.left -= 1;
    const is = this.patterns.some((one) => isOne(one, plain));
    this.known.set(plain, is);
    return is;
  }
}
