import MarkdownIt from 'markdown-it';
import type { NameLookup, TextOptions } from './names';

export type Parser = MarkdownIt.MarkdownIt;
export type Token = MarkdownIt.Token;
export type InlineState = MarkdownIt.StateInline;
export type BlockState = MarkdownIt.StateBlock;
export type CoreState = MarkdownIt.StateCore;
export type RenderRules = MarkdownIt.Renderer['rules'];

/** What the rules of one run know, carried in the parser's environment. */
export interface Surroundings {
  names: NameLookup;
  options: TextOptions;
}

export function surroundings(state: { env: MarkdownIt.Env }): Surroundings {
  return state.env as unknown as Surroundings;
}

export const { escapeHtml } = new MarkdownIt().utils;

/** `<name a="1">`; attributes that are undefined are left out. */
export function openTag(name: string, attributes: Record<string, string | number | undefined>): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escapeHtml(String(value))}"`);
  return `<${name}${written.join('')}>`;
}

/** No mention and no channel link begins in the middle of a word or an address. */
export function followsWord(text: string, position: number): boolean {
  return position > 0 && /[\p{L}\p{N}_@]/u.test(text.charAt(position - 1));
}
