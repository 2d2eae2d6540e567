import { OURS, firstCode, lineText, openTag, runOf } from '../html';
import type { BlockState, Parser, RenderRules, Run } from '../html';
import { codeHtml } from '../code/code-html';
import { mathBlockHtml } from '../inline/math';

/** The first line of a fenced block. A quote or spoiler contains blocks, also fences. Code and math contain text. */
interface Opening {
  marker: string;
  kind: 'code' | 'math' | 'quote' | 'spoiler';
  language: string;
  header: string;
}

const FIRST_LINE = /^(`{3,}|~{3,}) *(.*)$/s;
const LANGUAGE_AND_HEADER = /^\{?\.?([\w+,\-./#]+) *(.*)$/s;

/** Reads the first line of a fenced block. Only a spoiler shows what follows the language. */
export function readOpening(line: string): Opening | undefined {
  const [, marker, rest = ''] = FIRST_LINE.exec(line) ?? [];
  if (marker === undefined || /[`~]/.test(rest)) return undefined;
  if (rest === '') return { marker, kind: 'code', language: '', header: '' };
  const [, language, header = ''] = LANGUAGE_AND_HEADER.exec(rest) ?? [];
  if (language === undefined) return undefined;
  return { marker, kind: kindOf(language), language, header: header.replace(/\}$/, '').trim() };
}

/** Whether a text may have a block of code without a language. The line that ends a block looks the same. */
export const mayNeedCodeLanguage = (text: string): boolean =>
  text.split('\n').some((line) => /(?:```|~~~)$/.test(line.trimEnd()));

function kindOf(language: string): Opening['kind'] {
  switch (language.toLowerCase()) {
    case 'quote':
    case 'quoted':
      return 'quote';
    case 'spoiler':
      return 'spoiler';
    case 'math':
      return 'math';
    default:
      return 'code';
  }
}

/**
 * The line after the block's text: the same marker again, alone, while no inner fence is open. Otherwise the end of the
 * list item or quote around it.
 */
function lineBehind(state: BlockState, startLine: number, endLine: number, opening: Opening): number {
  const open = [opening];
  for (let line = startLine + 1; line < endLine; line++) {
    if (!state.isEmpty(line) && (state.sCount[line] ?? 0) < state.blkIndent) return line;
    const text = lineText(state, line);
    const innermost = open.at(-1) ?? opening;
    if (text === innermost.marker) {
      open.pop();
      if (open.length === 0) return line;
    } else if (innermost.kind === 'quote' || innermost.kind === 'spoiler') {
      const inner = readOpening(text);
      if (inner) open.push(inner);
    }
  }
  return endLine;
}

function fenceRule(state: BlockState, startLine: number, endLine: number, silent: boolean): boolean {
  const first = firstCode(state, startLine);
  if ((first !== 0x60 && first !== 0x7e) || (state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  const opening = readOpening(lineText(state, startLine));
  if (!opening) return false;
  if (silent) return true;
  const close = lineBehind(state, startLine, endLine, opening);
  // A closing marker to the left of the list item also belongs to the block.
  const closed = close < endLine && lineText(state, close) === opening.marker;
  switch (opening.kind) {
    case 'quote':
      state.push('blockquote_open', 'blockquote', 1);
      pushBlocks(state, startLine + 1, close);
      state.push('blockquote_close', 'blockquote', -1);
      break;
    case 'spoiler':
      pushSpoiler(state, opening.header, startLine + 1, close);
      break;
    case 'math':
    case 'code': {
      const token = state.push(opening.kind === 'math' ? 'math_block' : 'fence', 'code', 0);
      token.info = opening.language || (runOf(state).names.codeLanguage ?? '');
      token.content = state.getLines(startLine + 1, close, state.sCount[startLine] ?? 0, true);
    }
  }
  state.line = close + (closed ? 1 : 0);
  return true;
}

function pushSpoiler(state: BlockState, header: string, startLine: number, endLine: number): void {
  state.push('spoiler_open', 'div', 1);
  if (header !== '') {
    state.push('paragraph_open', 'p', 1);
    const inline = state.push('inline', '', 0);
    inline.content = header;
    inline.children = [];
    state.push('paragraph_close', 'p', -1);
  }
  state.push('spoiler_content', 'div', 0);
  pushBlocks(state, startLine, endLine);
  state.push('spoiler_close', 'div', -1);
}

/** Reads lines as blocks inside of another block. */
export function pushBlocks(state: BlockState, startLine: number, endLine: number): void {
  const { lineMax, parentType } = state;
  state.lineMax = endLine;
  state.parentType = 'blockquote';
  state.md.block.tokenize(state, startLine, endLine);
  state.lineMax = lineMax;
  state.parentType = parentType;
}

/** The lines without spaces at their ends, and without empty lines around them. */
function tidyLines(text: string): string {
  const lines = text.split('\n').map((line) => line.trimEnd());
  const last = lines.findLastIndex((line) => line !== '');
  if (last < 0) return '';
  return `${lines
    .slice(
      lines.findIndex((line) => line !== ''),
      last + 1,
    )
    .join('\n')}\n`;
}

/** A block of code. Its classes come from a table and its text is escaped, so the sanitizer sees a placeholder. */
function codeBlock(text: string, written: string, run: Run): string {
  const { html, language } = codeHtml(tidyLines(text), written, run);
  const wrapper = openTag('div', { class: 'codehilite', 'data-code-language': language });
  run.ours.push(`${wrapper}<pre><span></span><code>${html}</code></pre></div>`);
  return `${OURS}\n`;
}

const SPOILER_HEADER = '<div class="spoiler-block"><div class="spoiler-header">\n';
const SPOILER_CONTENT = '</div><div class="spoiler-content" aria-hidden="true">\n';

/** ```` ```lang ````, `~~~`, and the blocks `quote`, `spoiler header` and `math`, which nest; also indented code. */
export function fences(md: Parser): void {
  md.block.ruler.at('fence', fenceRule, { alt: ['paragraph', 'reference', 'blockquote', 'list'] });
  Object.assign(md.renderer.rules, {
    fence: (tokens, index, _options, env) =>
      codeBlock(tokens[index]?.content ?? '', tokens[index]?.info ?? '', runOf({ env })),
    code_block: (tokens, index, _options, env) => codeBlock(tokens[index]?.content ?? '', '', runOf({ env })),
    math_block: (tokens, index, _options, env) =>
      mathBlockHtml(tidyLines(tokens[index]?.content ?? ''), runOf({ env })),
    spoiler_open: () => SPOILER_HEADER,
    spoiler_content: () => SPOILER_CONTENT,
    spoiler_close: () => '</div></div>\n',
  } satisfies RenderRules);
}
