import { blockRule } from '../html';
import type { BlockState, Parser } from '../html';

/** Of the first line of a list item: the spaces before its marker. */
const BEFORE_MARKER = /^( *)[^ ]/;

/** How far the further lines of a paragraph are moved to the left. Below a marker they keep the distance from it. */
function indentOf(state: BlockState, startLine: number): number {
  const begin = state.bMarks[startLine] ?? 0;
  const before = state.src.slice(begin, begin + (state.tShift[startLine] ?? 0));
  return BEFORE_MARKER.exec(before)?.[1]?.length ?? state.blkIndent;
}

/** Lines keep the spaces at their ends, also the last one. */
export function paragraphs(md: Parser): void {
  const paragraph = blockRule(md, 'paragraph');
  md.block.ruler.at('paragraph', (state, startLine, endLine, silent) => {
    if (!paragraph(state, startLine, endLine, silent)) return false;
    const inline = state.tokens.at(-2);
    if (!inline) return true;
    const first = state.getLines(startLine, startLine + 1, state.blkIndent, false);
    const others = state.getLines(startLine + 1, state.line, indentOf(state, startLine), false);
    inline.content = (state.line > startLine + 1 ? `${first}\n${others}` : first).replace(/^\s+|\n+$/g, '');
    return true;
  });
}
