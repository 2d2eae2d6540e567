import { Rejected } from '@annals/kernel/domain';
import { wordsIn } from './words';

/** Maximum length of the operand of `search`, in code units. */
export const MAX_LENGTH = 1_000;
/** Maximum of words in it. */
export const MAX_WORDS = 50;

/** Words that have to follow each other; usually one. */
export type Phrase = readonly string[];

/** A phrase in quotes, or any other text up to a space. A quote that is not closed has no meaning. */
const PART = /"[^"]+"|\S+/g;

/**
 * The phrases that a search requires, all of them. There are none if the operand has no words.
 *
 * @throws Rejected BAD_NARROW if it is too long
 */
export function phrasesOf(operand: string): Phrase[] {
  if (operand.length > MAX_LENGTH) throw tooLong(`characters (maximum ${MAX_LENGTH})`);
  const phrases = (operand.match(PART) ?? []).map(wordsIn).filter(({ length }) => length > 0);
  if (phrases.flat().length > MAX_WORDS) throw tooLong(`words (maximum ${MAX_WORDS})`);
  return phrases;
}

const tooLong = (of: string): Rejected => {
  const desc = `the search has too many ${of}`;
  return new Rejected('BAD_NARROW', `Invalid narrow operator: ${desc}`, { desc });
};
