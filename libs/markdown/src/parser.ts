import MarkdownIt from 'markdown-it';
import { bareUrls } from './links/bare-urls';
import { channelLinks } from './links/channel-links';
import { emoji } from './emoji/emoji';
import { emojiCharacters } from './emoji/emoji-characters';
import { emoticons } from './emoji/emoticons';
import { marks } from './inline/emphasis';
import { fences } from './blocks/fences';
import { globalTimes } from './inline/global-times';
import { blockRule, firstCode, lineText } from './html';
import type { BlockRule, Parser, Run, RenderContext, Token } from './html';
import { inlineCode } from './inline/inline-code';
import { linkPreviews } from './links/link-previews';
import { links } from './links/links';
import { linkifiers } from './linkifiers/rule';
import { lists } from './blocks/lists';
import { inlineMath } from './inline/math';
import { newMathBudget } from './math/tex';
import { mentions } from './links/mentions';
import { paragraphs } from './blocks/paragraphs';
import { previews } from './links/previews';
import { quotes } from './blocks/quotes';
import { tablesAndLists } from './blocks/tables-and-lists';

/** Most cells of a table, including those that fill up short rows: 10,000 characters could require a million. */
const MAX_CELLS = 4_000;

/** Every line remains a line, with its spaces. */
function lineBreaks(md: Parser): void {
  md.inline.ruler.at('newline', (state, silent) => {
    if (state.src.charCodeAt(state.pos) !== 0x0a) return false;
    if (!silent) state.push('hardbreak', 'br', 0);
    state.pos++;
    return true;
  });
}

/** A heading has text: a single `#` is text. */
function headings(md: Parser): void {
  const heading = blockRule(md, 'heading');
  const rule: BlockRule = (state, startLine, endLine, silent) =>
    firstCode(state, startLine) === 0x23 &&
    /[^#]/.test(lineText(state, startLine).replace(/^#+/, '').trim()) &&
    heading(state, startLine, endLine, silent);
  md.block.ruler.at('heading', rule, { alt: ['paragraph', 'blockquote'] });
}

function build(): Parser {
  const md = new MarkdownIt({ html: false, linkify: true, breaks: true, maxNesting: 100 });
  // A backslash is a backslash, `a\n---` is a rule, and a definition of a reference removes no line.
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
    quotes,
    paragraphs,
    headings,
    fences,
    mentions,
    channelLinks,
    emoji,
    globalTimes,
    inlineMath,
    inlineCode,
    marks,
    lineBreaks,
    lists,
    links,
    bareUrls,
    linkifiers,
    emojiCharacters,
    emoticons,
  ]) {
    md.use(plugin);
  }
  return md.use(previews).use(linkPreviews).use(tablesAndLists);
}

const complete = build();
const withoutTables = build().disable('table');

/** Whether tables of this text could become too large. */
function tablesTooLarge(content: string): boolean {
  const pipes = content.split('|').length - 1;
  if (pipes < 200) return false;
  const lines = content.split('\n');
  const columns = Math.max(...lines.map((line) => line.split('|').length));
  return columns * lines.length > MAX_CELLS;
}

/** The text as tokens. Every name in it has been looked up. */
export function parse(content: string, around: RenderContext): { md: Parser; tokens: Token[]; run: Run } {
  const md = tablesTooLarge(content) ? withoutTables : complete;
  const run: Run = { emoji: 0, linked: 0, code: 0, math: newMathBudget(), ours: [], ...around };
  return { md, tokens: md.parse(content, run as unknown as MarkdownIt.Env), run };
}

/** The bare URLs and domains in a text, as in messages. */
export const findUrls = (text: string) => complete.linkify.match(text) ?? [];
