import { isFormula, splitFormulas } from '@annals/markdown';
import { WORD, normalized, wordsIn } from './words';

/** Decides which of some normalized words are highlighted. */
export type IsHighlighted = (word: string) => boolean;

/** Tags, which may have `>` in quotes, and entities stay; what is between them is text. */
const PIECE = /<(?:[^>"']|"[^"]*"|'[^']*')*>|&(?:#\d+|#x[\da-f]+|[a-z][\da-z]*);|[^<&]+|[<&]/gi;

const isText = (piece: string): boolean => !/^[<&]./s.test(piece);

const [OPEN, CLOSE] = ['<span class="highlight">', '</span>'];

/**
 * Wraps words of HTML (contract/messages.md section 2). Tags and attributes stay as they are, so the result is
 * well-formed. Formulas stay too, because clients read their source and their markup.
 */
export const highlighted = (html: string, isHighlighted: IsHighlighted): string =>
  splitFormulas(html)
    .map((part) => {
      if (isFormula(part)) return part;
      return part.replace(PIECE, (piece) => (isText(piece) ? wrapped(piece, isHighlighted) : piece));
    })
    .join('');

/** Words without a space between them are wrapped together. */
const wrapped = (text: string, isHighlighted: IsHighlighted): string =>
  text
    .replace(WORD, (word) => (isHighlighted(normalized(word)) ? OPEN + word + CLOSE : word))
    .replaceAll(CLOSE + OPEN, '');

/** The words in the text of some HTML, without those of formulas. */
export function addWordsIn(html: string, words: Set<string>): void {
  for (const part of splitFormulas(html)) {
    if (isFormula(part)) continue;
    for (const piece of part.match(PIECE) ?? []) if (isText(piece)) for (const word of wordsIn(piece)) words.add(word);
  }
}
