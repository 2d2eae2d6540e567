import { blockRule, firstCode, lineText } from '../html';
import type { BlockRule, BlockState, CoreState, Parser, Token } from '../html';

const MARKER = /^([*+-]|\d{1,9}\.)(?:([ \t]+)|$)/;
const MARKER_CODES = new Set(Array.from('*+-0123456789', (character) => character.charCodeAt(0)));
/** A number of one digit begins a list right below a paragraph. A longer one may be part of a sentence. */
const SHORT_NUMBER = /^\d\. +\S/;

/** An item that the lines below may belong to: the position of its marker, as written, and of its content. */
interface OpenItem {
  readonly column: number;
  readonly content: number;
}

/** Where the lines that were indented began before: in a nested quote, the same lines begin elsewhere. */
const widened = new WeakMap<BlockState, Map<number, number>>();

/**
 * Two spaces are enough to belong to an item, also below a number, whose content begins further right: lines in between
 * are moved to where the content begins.
 */
function widen(state: BlockState, startLine: number, endLine: number): void {
  const seen = widened.get(state) ?? new Map<number, number>();
  widened.set(state, seen);
  if (seen.get(startLine) === state.bMarks[startLine]) return;
  const open: OpenItem[] = [];
  for (let line = startLine; line < endLine; line++) {
    if (state.isEmpty(line)) continue;
    const column = state.sCount[line] ?? 0;
    while (open.length > 0 && column < (open.at(-1)?.column ?? 0) + 2) open.pop();
    const around = open.at(-1);
    const marker = markerOf(state, line);
    if (column < state.blkIndent || (!around && !marker)) return;
    seen.set(line, state.bMarks[line] ?? 0);
    const moved = Math.max(column, around?.content ?? 0);
    state.sCount[line] = moved;
    if (marker) open.push({ column, content: moved + marker.width });
  }
}

/** The marker at the beginning of a line, and the position of its item's content. */
function markerOf(state: BlockState, line: number): { width: number } | undefined {
  const [all, marker = '', spaces = ''] = MARKER.exec(lineText(state, line)) ?? [];
  return all === undefined ? undefined : { width: marker.length + (/^ {1,4}$/.test(spaces) ? spaces.length : 1) };
}

function listRule(list: BlockRule): BlockRule {
  return (state, startLine, endLine, silent) => {
    if (!MARKER_CODES.has(firstCode(state, startLine))) return false;
    const text = lineText(state, startLine);
    if (!MARKER.test(text)) return false;
    if (!silent) widen(state, startLine, endLine);
    if (!SHORT_NUMBER.test(text) || state.parentType !== 'paragraph') return list(state, startLine, endLine, silent);
    state.parentType = 'root';
    const found = list(state, startLine, endLine, silent);
    state.parentType = 'paragraph';
    return found;
  };
}

/** Bullets of different kinds directly below each other are one list. */
function joinBullets(state: CoreState): void {
  const opens = (token: Token | undefined): boolean => token?.type === 'bullet_list_open';
  const closes = (token: Token | undefined): boolean => token?.type === 'bullet_list_close';
  if (!state.tokens.some((token, index) => opens(token) && closes(state.tokens[index - 1]))) return;
  const lines = state.src.split('\n');
  const joined = state.tokens.map(
    (token, index) =>
      opens(token) && closes(state.tokens[index - 1]) && /[^>\s]/.test(lines[(token.map?.[0] ?? 0) - 1] ?? ''),
  );
  state.tokens = state.tokens.filter((_token, index) => !joined[index] && !joined[index + 1]);
}

/** `*`, `-` and `+` are bullets of the same kind. `1.` begins a numbered item and `1)` does not. Two spaces nest. */
export function lists(md: Parser): void {
  md.block.ruler.at('list', listRule(blockRule(md, 'list')), { alt: ['paragraph', 'blockquote'] });
  md.core.ruler.after('block', 'join_bullets', joinBullets);
}
