import { blockRule, firstCode, lineText } from '../html';
import type { BlockState, Parser } from '../html';
import { pushBlocks } from './fences';

/** Depth of quotes and lists. Deeper ones are plain text. */
const MAX_DEPTH = 24;

/** Whether a line is a single `>`. */
const isArrow = (state: BlockState, line: number): boolean =>
  firstCode(state, line) === 0x3e && lineText(state, line) === '>';

function isLoneArrow(state: BlockState, line: number, endLine: number): boolean {
  return isArrow(state, line) && (line + 1 >= endLine || state.isEmpty(line + 1));
}

/** A quote that is nested too deep stays plain text, and so does a single `>`, so that neither disappears. */
function boundedQuotes(md: Parser): void {
  const paragraph = blockRule(md, 'paragraph');
  md.block.ruler.before('table', 'not_nested', (state, startLine, endLine, silent) => {
    if (silent || !(state.level >= MAX_DEPTH || isLoneArrow(state, startLine, endLine))) return false;
    return paragraph(state, startLine, endLine, silent);
  });
}

/** The text below lines of a single `>` is quoted, up to the next empty line. */
function arrowsAboveText(md: Parser): void {
  md.block.ruler.before('blockquote', 'arrows_above_text', (state, startLine, endLine, silent) => {
    if (silent || !isArrow(state, startLine) || (state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
    let text = startLine + 1;
    while (text < endLine && isArrow(state, text)) text++;
    if (text >= endLine || state.isEmpty(text) || firstCode(state, text) === 0x3e) return false;
    let end = text;
    while (end < endLine && !state.isEmpty(end) && (state.sCount[end] ?? 0) >= state.blkIndent) end++;
    if (end === text) return false;
    state.push('blockquote_open', 'blockquote', 1);
    pushBlocks(state, text, end);
    state.push('blockquote_close', 'blockquote', -1);
    state.line = end;
    return true;
  });
}

export function quotes(md: Parser): void {
  boundedQuotes(md);
  arrowsAboveText(md);
}
