import { quotedStart } from '../attribute-path';
import { reject } from '../rejections';

/** A part of a filter. The text of a string is without its quotes. */
export interface FilterToken {
  readonly kind: 'bracket' | 'word' | 'string' | 'end';
  readonly text: string;
}

const BRACKETS = '()[]';
const SPACES = ' \t\r\n';
const QUOTE = '"';
/** Names, numbers, URNs, and the dot between a bracket and a name. */
const WORD = /^[\w$.:%/+-]$/;

/**
 * Splits a filter. Each character is read once.
 *
 * @throws Rejected INVALID_FILTER
 */
export function tokensOf(text: string): FilterToken[] {
  const tokens: FilterToken[] = [];
  let at = 0;
  while (at < text.length) {
    const character = text.charAt(at);
    const start = at;
    if (SPACES.includes(character)) {
      at += 1;
    } else if (BRACKETS.includes(character)) {
      tokens.push({ kind: 'bracket', text: character });
      at += 1;
    } else if (character === QUOTE) {
      at = endOfString(text, at);
      tokens.push({ kind: 'string', text: unescaped(text.slice(start, at)) });
    } else {
      while (at < text.length && WORD.test(text.charAt(at))) at += 1;
      if (at === start) throw reject.filter({ why: `Unexpected ${quotedStart(text.slice(at))} in the filter.` });
      tokens.push({ kind: 'word', text: text.slice(start, at) });
    }
  }
  return tokens;
}

/** @returns the position after the quote that ends the string */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charAt(at) !== QUOTE) at += text.charAt(at) === '\\' ? 2 : 1;
  if (at >= text.length) throw reject.filter({ why: 'A text in the filter has no closing quote.' });
  return at + 1;
}

/** Strings are those of JSON. The database has none with a NUL or half a surrogate pair. */
function unescaped(quoted: string): string {
  const text = parsed(quoted);
  if (text.includes('\0') || !text.isWellFormed())
    throw reject.filter({ why: 'A text in the filter has a character that no text can have.' });
  return text;
}

function parsed(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    throw reject.filter({ why: `${quotedStart(quoted)} in the filter is no JSON string.` });
  }
}
