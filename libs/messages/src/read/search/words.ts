/** Scripts that are written without spaces between words: each of their characters counts as a word. */
const UNSPACED = `[${['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => String.raw`\p{Script_Extensions=${script}}`)
  .join('')}]`;
const CHARACTER = String.raw`[\p{L}\p{M}\p{N}]`;

/** A word, for both texts and queries: letters, marks and digits. */
export const WORD = new RegExp(`(?=${UNSPACED})${CHARACTER}|(?:(?!${UNSPACED})${CHARACTER})+`, 'gu');

/** Code units of a word that count; PostgreSQL leaves out words of more than 2 kB. */
const MAX_LENGTH = 200;

/** A word without regard to letter case and to different forms of one character. */
export const normalized = (word: string): string => word.slice(0, MAX_LENGTH).normalize('NFKC').toLowerCase();

/** The words of a text in their order, normalized. */
export const wordsIn = (text: string): string[] => (text.match(WORD) ?? []).map(normalized);
