import { CHANNEL_WORDS, SIGNATURE_LENGTH } from '@annals/mail';

/** What somebody who writes to a channel wants, by words in the address. */
export interface AddressOptions {
  /** Begin the message with the sender of the mail. */
  readonly showsSender: boolean;
  /** Keep signatures. */
  readonly keepsFooter: boolean;
  /** Keep quoted mails. */
  readonly keepsQuotes: boolean;
  /** Take the HTML part, if the mail has two. */
  readonly prefersHtml: boolean;
}

type Letter = keyof typeof CHANNEL_WORDS;

const LONGEST_NAME = 16;
/** Clients write the words in full. The longest two have room after the token, and the name is cut for them. */
const ROOM_FOR_WORDS = Object.values(CHANNEL_WORDS)
  .map(({ length }) => length + 1)
  .sort((one, other) => other - one)
  .slice(0, 2)
  .reduce((sum, length) => sum + length);

/**
 * The part of an address for a channel: its name for people, if there is room for it, then the token.
 *
 * @param room characters that the part and the words after it may have
 */
export function channelPart(name: string, token: string, room: number): string {
  const most = Math.min(LONGEST_NAME, room - ROOM_FOR_WORDS - token.length - 1);
  const words =
    name
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  const shown = words.join('-').slice(0, Math.max(most, 0)).replace(/-$/, '');
  return shown === '' ? token : `${shown}.${token}`;
}

/** How many words of a token are before its signature, by the characters of that: earlier addresses have a longer one, and a version. */
const WORDS_BEFORE = new Map([
  [SIGNATURE_LENGTH, 4],
  [26, 5],
]);
const SIGNATURE = /^[a-z2-7]+$/;

/**
 * The token of a part, and what the words after it ask for, which people or clients have added. They are separated by `.` or `+`. The
 * letters of several words may be one word. The token is empty if a word means nothing.
 */
export function partsOf(part: string): { readonly token: string; readonly options: AddressOptions } {
  const words = part.toLowerCase().split(/[.+]/);
  const at = words.findLastIndex((word) => WORDS_BEFORE.has(word.length) && SIGNATURE.test(word));
  const before = WORDS_BEFORE.get(words[at]?.length ?? 0) ?? 0;
  const letters = words.slice(at + 1).map(lettersOf);
  const isKnown = at >= before && letters.every((some) => some !== '');
  const has = (letter: Letter) => letters.some((some) => some.includes(letter));
  return {
    token: isKnown ? words.slice(at - before, at + 1).join('.') : '',
    options: { showsSender: has('s'), keepsFooter: has('f'), keepsQuotes: has('q'), prefersHtml: has('h') },
  };
}

const LETTERS = new RegExp(`^[${Object.keys(CHANNEL_WORDS).join('')}]+$`);

/** The letters that a word stands for. Empty for a word that means nothing. */
function lettersOf(word: string): string {
  if (LETTERS.test(word)) return word;
  return Object.entries(CHANNEL_WORDS).find(([, long]) => long === word)?.[0] ?? '';
}
