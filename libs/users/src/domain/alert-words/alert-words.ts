import type { UserId } from '@annals/kernel/domain';
import { defineAggregate, fact } from '@annals/kernel/domain';
import { reject } from '../rejections';
import type { AlertWordEvent } from './alert-word-events';
import { AlertWordsAdded, AlertWordsRemoved } from './alert-word-events';

/** Most alert words of one account: each is searched in every text of the organization. */
export const MAX_ALERT_WORDS = 500;
/** In characters. */
export const MAX_ALERT_WORD = 100;

/** The alert words of an account. */
export interface AlertWords {
  /** The number of the last word that was ever added. */
  readonly last: number;
  /** By number. Null once they were erased. */
  readonly words: ReadonlyMap<number, string | null>;
}

export const alertWordsAggregate = defineAggregate<AlertWords, AlertWordEvent, UserId>(
  'alert-words',
  { last: 0, words: new Map() },
  ({ last, words }, event) => {
    const { wordIds } = event.data;
    if (event.type === 'users.AlertWordsRemoved') {
      return { last, words: new Map([...words].filter(([id]) => !wordIds.includes(id))) };
    }
    const { sealed } = event;
    const added = wordIds.map((id, n) => [id, sealed === 'erased' ? null : (sealed.words[n] ?? null)] as const);
    return { last: Math.max(last, ...wordIds), words: new Map([...words, ...added]) };
  },
);

/** Words are compared without letter case. */
export const alertWordKey = (word: string): string => word.toLowerCase();

/**
 * Adds words. Surrounding spaces are removed. Empty words, and words that exist in any letter case, are left out.
 *
 * @throws Rejected BAD_REQUEST for words beyond the limit
 */
export function addAlertWords(state: AlertWords, userId: UserId, wanted: readonly string[]): AlertWordsAdded[] {
  const known = new Set([...state.words.values()].map((word) => alertWordKey(word ?? '')));
  const added = new Map<string, string>();
  for (const word of wanted.map((one) => one.trim())) {
    const key = alertWordKey(word);
    if (word !== '' && !known.has(key) && !added.has(key)) added.set(key, word);
  }
  if (added.size === 0) return [];
  if (state.words.size + added.size > MAX_ALERT_WORDS) throw reject.tooManyAlertWords({ limit: MAX_ALERT_WORDS });
  const words = [...added.values()];
  return [fact(AlertWordsAdded, { userId, wordIds: words.map((_, n) => state.last + n + 1) }, { words })];
}

/** Removes words in any letter case. Words that do not exist are left out. */
export function removeAlertWords(state: AlertWords, userId: UserId, unwanted: readonly string[]): AlertWordsRemoved[] {
  const keys = new Set(unwanted.map((word) => alertWordKey(word.trim())));
  const wordIds = [...state.words].flatMap(([id, word]) => (word !== null && keys.has(alertWordKey(word)) ? [id] : []));
  return wordIds.length === 0 ? [] : [fact(AlertWordsRemoved, { userId, wordIds })];
}
