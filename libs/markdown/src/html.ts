import MarkdownIt from 'markdown-it';
import type { MathBudget } from './math/tex';
import type { NameLookup, TextOptions } from './names';

export type Parser = MarkdownIt.MarkdownIt;
export type Token = MarkdownIt.Token;
export type InlineState = MarkdownIt.StateInline;
export type BlockState = MarkdownIt.StateBlock;
export type CoreState = MarkdownIt.StateCore;
export type RenderRules = MarkdownIt.Renderer['rules'];

/** The names and options for reading a text. */
export interface RenderContext {
  names: NameLookup;
  options: TextOptions;
}

/** The state of the rules in one run, in the parser's environment. */
export interface Run extends RenderContext {
  /** Number of emoji in the text so far. */
  emoji: number;
  /** Code units of highlighted code so far. */
  code: number;
  math: MathBudget;
  /** UTF-16 units that linkifiers have added to the HTML so far. */
  linked: number;
  /** HTML that the rules wrote, in order. A placeholder stands for each piece while the rest is sanitized. */
  ours: string[];
}

/** The placeholder for a piece of `ours`. No text contains it: the parser replaces it. */
export const OURS = '\0';

export type BlockRule = ReturnType<Parser['block']['ruler']['getRules']>[number];

/** The rule of markdown-it for `name`, so that another rule can be placed before it. */
export function blockRule(md: Parser, name: 'heading' | 'list' | 'paragraph'): BlockRule {
  const found = md.block.ruler.getRules('').find((rule) => rule.name === name);
  if (!found) throw new Error(`markdown-it has no rule for a ${name}`);
  return found;
}

/** The first character of a line after its indentation. It excludes most lines from being a construct. */
export function firstCode(state: BlockState, line: number): number {
  return state.src.charCodeAt((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0));
}

/** A line without its indentation and the spaces at its end. */
export function lineText(state: BlockState, line: number): string {
  return state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]).trimEnd();
}

export function runOf(state: { env: MarkdownIt.Env | undefined }): Run {
  return state.env as unknown as Run;
}

export const { escapeHtml } = new MarkdownIt().utils;

/** `<name a="1">`. Attributes that are undefined are left out. */
export function openTag(name: string, attributes: Record<string, string | number | undefined>): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escapeHtml(String(value))}"`);
  return `<${name}${written.join('')}>`;
}

/**
 * Mentions and channel links begin a word: at the start, after a space, an opening bracket, a quotation mark, `<` or
 * `/`.
 */
export function mayBeginName(text: string, position: number): boolean {
  return position === 0 || /[\s'"({[<\/]/.test(text.charAt(position - 1));
}
