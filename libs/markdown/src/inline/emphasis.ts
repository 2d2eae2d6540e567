import type { InlineState, Parser, RenderRules } from '../html';

const NEWLINE = 0x0a;
const STAR = 0x2a;
const UNDERSCORE = 0x5f;
const TILDE = 0x7e;

/** The text between two markers: its start, its end, and the end of the closing marker. */
interface Span {
  readonly names: readonly ('strong' | 'em' | 's')[];
  readonly begin: number;
  readonly end: number;
  readonly behind: number;
}

/**
 * The position at which `step` finds what it looks for, on this line. Otherwise `step` returns how far to continue, or
 * nothing to stop. If it returns 0, a whole construct is skipped: markers in code, links and mentions do not count.
 */
function search(state: InlineState, from: number, step: (position: number) => 'here' | 'nowhere' | number): number {
  const before = state.pos;
  let found = -1;
  state.pos = from;
  while (state.pos < state.posMax && state.src.charCodeAt(state.pos) !== NEWLINE) {
    const taken = step(state.pos);
    if (taken === 'nowhere') break;
    if (taken === 'here') {
      found = state.pos;
      break;
    }
    if (taken === 0) state.md.inline.skipToken(state);
    else state.pos += taken;
  }
  state.pos = before;
  return found;
}

function startsWith(state: InlineState, marker: string, position: number): boolean {
  return position + marker.length <= state.posMax && state.src.startsWith(marker, position);
}

const isSpace = (text: string, position: number): boolean => /\s/.test(text.charAt(position));

/** `***both***`, with no star in it. */
function strongEmphasis(state: InlineState, begin: number): Span | undefined {
  if (!startsWith(state, '***', begin) || isSpace(state.src, begin + 3)) return undefined;
  const end = search(state, begin + 3, (position) => {
    if (state.src.charCodeAt(position) !== STAR) return 0;
    const closes = position > begin + 3 && !isSpace(state.src, position - 1) && startsWith(state, '***', position);
    return closes ? 'here' : 'nowhere';
  });
  return end < 0 ? undefined : { names: ['strong', 'em'], begin: begin + 3, end, behind: end + 3 };
}

/** `**strong**`: up to the next two stars, and there is something before them. */
function strong(state: InlineState, begin: number): Span | undefined {
  if (!startsWith(state, '**', begin)) return undefined;
  const end = search(state, begin + 2, (position) => {
    const code = state.src.charCodeAt(position);
    if (code === STAR) return position > begin + 2 && startsWith(state, '**', position) ? 'here' : 1;
    return code === TILDE ? 1 : 0;
  });
  return end < 0 ? undefined : { names: ['strong'], begin: begin + 2, end, behind: end + 2 };
}

/** `*emphasis*`: no space beside the stars inside, and no other stars than pairs that are strong. */
function emphasis(state: InlineState, begin: number): Span | undefined {
  if (state.src.charCodeAt(begin) !== STAR || isSpace(state.src, begin + 1)) return undefined;
  const end = search(state, begin + 1, (position) => {
    const code = state.src.charCodeAt(position);
    if (code !== STAR) return code === TILDE ? 1 : 0;
    if (position === begin + 1) return 'nowhere';
    const inner = strong(state, position);
    if (inner) return inner.behind - position;
    return isSpace(state.src, position - 1) ? 'nowhere' : 'here';
  });
  return end < 0 ? undefined : { names: ['em'], begin: begin + 1, end, behind: end + 1 };
}

const starred = (state: InlineState, begin: number): Span | undefined =>
  strongEmphasis(state, begin) ?? strong(state, begin) ?? emphasis(state, begin);

/** `~~deleted~~`, with no tilde in it or beside it. */
function struck(state: InlineState, begin: number): Span | undefined {
  if (!startsWith(state, '~~', begin) || state.src.charCodeAt(begin - 1) === TILDE) return undefined;
  const end = search(state, begin + 2, (position) => {
    const code = state.src.charCodeAt(position);
    if (code === STAR) return (starred(state, position)?.behind ?? position + 1) - position;
    if (code !== TILDE) return 0;
    const closes = position > begin + 2 && startsWith(state, '~~', position) && !startsWith(state, '~~~', position);
    return closes ? 'here' : 'nowhere';
  });
  return end < 0 ? undefined : { names: ['s'], begin: begin + 2, end, behind: end + 2 };
}

function spanRule(code: number, read: (state: InlineState, begin: number) => Span | undefined) {
  return (state: InlineState, silent: boolean): boolean => {
    if (state.src.charCodeAt(state.pos) !== code) return false;
    // A scan for the end of another construct continues by one character: a link may begin inside.
    const span = silent ? undefined : read(state, state.pos);
    if (span) {
      pushSpan(state, span);
      return true;
    }
    if (!silent) state.pending += String.fromCharCode(code);
    state.pos++;
    return true;
  };
}

function pushSpan(state: InlineState, { names, begin, end, behind }: Span): void {
  const { posMax } = state;
  for (const name of names) state.push(`${name}_open`, name, 1);
  state.pos = begin;
  state.posMax = end;
  state.md.inline.tokenize(state);
  state.posMax = posMax;
  for (const name of names.toReversed()) state.push(`${name}_close`, name, -1);
  state.pos = behind;
}

/** `*emphasis*`, `**strong**`, `***both***` and `~~deleted~~`, each on one line; `_` is a character of names. */
export function marks(md: Parser): void {
  md.inline.ruler.at('emphasis', spanRule(STAR, starred));
  md.inline.ruler.at('strikethrough', spanRule(TILDE, struck));
  md.inline.ruler2.disable(['strikethrough', 'emphasis']);
  md.inline.ruler.before('emphasis', 'underscore', (state, silent) => {
    if (state.src.charCodeAt(state.pos) !== UNDERSCORE) return false;
    if (!silent) state.pending += '_';
    state.pos++;
    return true;
  });
  Object.assign(md.renderer.rules, { s_open: () => '<del>', s_close: () => '</del>' } satisfies RenderRules);
}
