import { WORD, normalized, wordsIn } from './words';

/** Decides which of some normalized words are highlighted. */
export type IsHighlighted = (word: string) => boolean;

/** Tags, which may have `>` in quotes, and entities stay; what is between them is text. */
const PIECE = /<(?:[^>"']|"[^"]*"|'[^']*')*>|&(?:#\d+|#x[\da-f]+|[a-z][\da-z]*);|[^<&]+|[<&]/gi;

const isText = (piece: string): boolean => !/^[<&]./s.test(piece);

const [OPEN, CLOSE] = ['<span class="highlight">', '</span>'];

/** Wraps words of HTML (contract/messages.md section 2). Tags and attributes stay as they are, so the result is well-formed. */
export const highlighted = (html: string, isHighlighted: IsHighlighted): string =>
  html.replace(PIECE, (piece) => (isText(piece) ? wrapped(piece, isHighlighted) : piece));

/** Words without a space between them are wrapped together. */
const wrapped = (text: string, isHighlighted: IsHighlighted): string =>
  text
    .replace(WORD, (word) => (isHighlighted(normalized(word)) ? OPEN + word + CLOSE : word))
    .replaceAll(CLOSE + OPEN, '');

/** The words in the text of some HTML. */
export function addWordsIn(html: string, words: Set<string>): void {
  for (const piece of html.match(PIECE) ?? []) if (isText(piece)) for (const word of wordsIn(piece)) words.add(word);
}
