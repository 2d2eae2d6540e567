import type { InlineState, Parser } from '../html';

/** For a text: the next run of backticks of the same length after each run. */
const partners = new WeakMap<InlineState, ReadonlyMap<number, number>>();

function partnersIn(state: InlineState): ReadonlyMap<number, number> {
  const known = partners.get(state);
  if (known) return known;
  const found = new Map<number, number>();
  const lastOfLength = new Map<number, number>();
  for (const { 0: run, index } of state.src.matchAll(/`+/g)) {
    const before = lastOfLength.get(run.length);
    if (before !== undefined) found.set(before, index);
    lastOfLength.set(run.length, index);
  }
  partners.set(state, found);
  return found;
}

function inlineCodeRule(state: InlineState, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x60) return false;
  let begin = state.pos + 1;
  while (begin < state.posMax && state.src.charCodeAt(begin) === 0x60) begin++;
  const marker = state.src.slice(state.pos, begin);
  const end = partnersIn(state).get(state.pos);
  if (end === undefined || end + marker.length > state.posMax) {
    if (!silent) state.pending += marker;
    state.pos = begin;
    return true;
  }
  if (!silent) state.push('code_inline', 'code', 0).content = state.src.slice(begin, end);
  state.pos = end + marker.length;
  return true;
}

/** `` `code` `` with any number of backticks. Every character between them counts, also spaces. */
export function inlineCode(md: Parser): void {
  md.inline.ruler.at('backticks', inlineCodeRule);
}
