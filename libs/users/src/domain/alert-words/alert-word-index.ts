import type { UserId } from '@annals/kernel/domain';
import { ascending } from '@annals/kernel/domain';
import { alertWordKey } from './alert-words';

/** An alert word of a user. */
export interface OwnedWord {
  readonly userId: UserId;
  readonly word: string;
}

/** Characters after which a word can begin, beside spaces. */
const BEFORE = new Set('("\'.,;[*`>');
/** Characters before which a word can end, beside spaces. */
const AFTER = new Set(')"?:.,\';]!*`');

const SPACE = /\s/;

/** The alert words of an organization, for a search in texts. A word matches as a whole, in any letter case. */
export interface AlertWordIndex {
  /** Users by word. */
  readonly users: ReadonlyMap<string, readonly UserId[]>;
  /** The length of the longest word by the first part of words, which ends where a word can end. */
  readonly longest: ReadonlyMap<string, number>;
}

export function indexAlertWords(words: readonly OwnedWord[]): AlertWordIndex {
  const users = new Map<string, UserId[]>();
  const longest = new Map<string, number>();
  for (const { userId, word } of words) {
    const key = alertWordKey(word);
    const owners = users.get(key) ?? [];
    owners.push(userId);
    users.set(key, owners);
    const first = key.slice(0, endAfter(key, 0));
    longest.set(first, Math.max(longest.get(first) ?? 0, key.length));
  }
  return { users, longest };
}

/**
 * The users who have an alert word in a text, ascending. Reads the text once. Most words end the search at their first
 * part.
 */
export function usersAlertedBy(content: string, { users, longest }: AlertWordIndex): UserId[] {
  if (users.size === 0) return [];
  const text = alertWordKey(content);
  const found = new Set<UserId>();
  for (let start = 0; start < text.length; start += 1) {
    if (start > 0 && !isOneOf(BEFORE, text[start - 1])) continue;
    let end = endAfter(text, start);
    const last = start + (longest.get(text.slice(start, end)) ?? 0);
    for (; end <= last; end = endAfter(text, end)) {
      for (const user of users.get(text.slice(start, end)) ?? []) found.add(user);
      if (end === text.length) break;
    }
  }
  return ascending(found);
}

/** The first position after another one where a word can end. */
function endAfter(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && !isOneOf(AFTER, text[end])) end += 1;
  return Math.min(end, text.length);
}

const isOneOf = (characters: ReadonlySet<string>, one = ''): boolean => characters.has(one) || SPACE.test(one);
