import { takeEmoji, unicodeEmojiToken } from './emoji';
import { runOf } from '../html';
import type { CoreState, Parser, Token } from '../html';
import { inPieces, mapTexts } from '../inline/text-pieces';
import type { Replacement } from '../inline/text-pieces';
import { UNICODE_EMOJI } from './unicode-emoji';

/** A possible emoji: a flag, or characters with their modifiers, joined or not (Unicode UTS 51, section 1.4.9). */
const POSSIBLE =
  /\p{RI}\p{RI}|\p{Emoji}(?:\p{EMod}|\uFE0F\u20E3?|[\u{E0020}-\u{E007E}]+\u{E007F})?(?:\u200D\p{Emoji}(?:\p{EMod}|\uFE0F)?)*/gu;
/** A character that is text unless a selector follows: `↔`, `©`, digits. */
const TEXTUAL = /^\P{Emoji_Presentation}\u20E3?$/u;
const BEYOND_LATIN = /[^\0-\xff]|[\xa9\xae]/;

function codeOf(character: string): string {
  return Array.from(character, (part) => (part.codePointAt(0) ?? 0).toString(16).padStart(4, '0'))
    .filter((code) => code !== 'fe0f')
    .join('-');
}

function nameOf(character: string): { name: string; code: string } | undefined {
  if (TEXTUAL.test(character)) return undefined;
  const code = codeOf(character);
  const name = UNICODE_EMOJI.get(code)?.[0];
  return name === undefined ? undefined : { name, code };
}

/** The emoji in a text. */
function emojiIn({ content, level }: Token, state: CoreState): Replacement[] {
  const found: Replacement[] = [];
  for (const { 0: character, index: begin } of content.matchAll(POSSIBLE)) {
    const emoji = nameOf(character);
    if (!emoji) continue;
    if (!takeEmoji(runOf(state))) break;
    const token = Object.assign(unicodeEmojiToken(state, emoji.name, emoji.code), { level });
    found.push({ begin, end: begin + character.length, tokens: [token] });
  }
  return found;
}

function emojiCharactersRule(state: CoreState): void {
  mapTexts(
    state,
    (text) => inPieces(text, state, emojiIn(text, state)),
    (source) => BEYOND_LATIN.test(source),
  );
}

/**
 * Emoji that are typed as characters are shown like those that are typed by name. In links they remain characters.
 */
export function emojiCharacters(md: Parser): void {
  md.core.ruler.push('emoji_characters', emojiCharactersRule);
}
