import MarkdownIt from 'markdown-it';
import { channelLinks } from './channel-links';
import { emoji } from './emoji';
import { fences } from './fences';
import { globalTimes } from './global-times';
import type { BlockState, Parser, Surroundings, Token } from './html';
import { links } from './links';
import { inlineMath } from './math';
import { mentions } from './mentions';
import { previews } from './previews';
import { tablesAndLists } from './tables-and-lists';

/** Quotes and lists nest this deep; what is deeper is plain text. */
const MAX_DEPTH = 24;
/** Cells a table may come to, those included that fill up short rows: 10,000 characters could ask for a million. */
const MAX_CELLS = 4_000;

/** `_` is a character of names, not of emphasis; what is struck out is deleted. */
function emphasis(md: Parser): void {
  md.inline.ruler.before('emphasis', 'underscore', (state, silent) => {
    if (state.src.charCodeAt(state.pos) !== 0x5f) return false;
    if (!silent) state.pending += '_';
    state.pos++;
    return true;
  });
  md.renderer.rules['s_open'] = () => '<del>';
  md.renderer.rules['s_close'] = () => '</del>';
}

/** What nests too deep is plain text, and so is a lone `>`: neither may vanish. */
function boundedQuotes(md: Parser): void {
  const paragraph = md.block.ruler.getRules('').at(-1);
  md.block.ruler.before('table', 'not_nested', (state, startLine, endLine, silent) => {
    if (silent || !(state.level >= MAX_DEPTH || isLoneArrow(state, startLine, endLine))) return false;
    return paragraph?.(state, startLine, endLine, silent) === true;
  });
}

function isLoneArrow(state: BlockState, line: number, endLine: number): boolean {
  const begin = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
  if (state.src.charCodeAt(begin) !== 0x3e || state.src.slice(begin, state.eMarks[line]).trimEnd() !== '>')
    return false;
  return line + 1 >= endLine || state.isEmpty(line + 1);
}

function build(): Parser {
  const md = new MarkdownIt({ html: false, linkify: true, breaks: true, maxNesting: 100 });
  // a backslash is a backslash, `a\n---` is a rule, and definitions of references would swallow lines
  md.disable([
    'escape',
    'lheading',
    'reference',
    'html_block',
    'html_inline',
    'autolink',
    'replacements',
    'smartquotes',
  ]);
  for (const plugin of [
    boundedQuotes,
    fences,
    mentions,
    channelLinks,
    emoji,
    globalTimes,
    inlineMath,
    emphasis,
    links,
  ]) {
    md.use(plugin);
  }
  return md.use(previews).use(tablesAndLists);
}

const complete = build();
const withoutTables = build().disable('table');

/** Whether tables of this text could get absurdly large. */
function tablesTooLarge(content: string): boolean {
  const pipes = content.split('|').length - 1;
  if (pipes < 200) return false;
  const lines = content.split('\n');
  const columns = Math.max(...lines.map((line) => line.split('|').length));
  return columns * lines.length > MAX_CELLS;
}

/** The text as tokens; every name in it has been looked up. */
export function parse(content: string, around: Surroundings): { md: Parser; tokens: Token[] } {
  const md = tablesTooLarge(content) ? withoutTables : complete;
  return { md, tokens: md.parse(content, around as unknown as MarkdownIt.Env) };
}
