import type { FactOf } from '@annals/kernel/domain';
import { defineEvent, t, userId } from '@annals/kernel/domain';

/** Alert words are text of their owner: they are erased with the person. */
const ofOwner = ({ userId: owner }: { readonly userId: number }) => [
  ['user', owner] as const,
  ['person', owner] as const,
];

/** Numbers of words within one account; a number is never used again. */
const wordIds = t.Array(t.Integer({ minimum: 1 }), { minItems: 1 });

/**
 * Stream `alert-words-{user}`, like the next: texts with these words have the flag `has_alert_word` for the user from
 * then on.
 */
export const AlertWordsAdded = defineEvent('users.AlertWordsAdded', {
  data: t.Object({ userId, wordIds }),
  /** In the order of the numbers. */
  sealed: t.Object({ words: t.Array(t.String()) }),
  subjects: ofOwner,
});
export type AlertWordsAdded = FactOf<typeof AlertWordsAdded>;

/** Messages that were written before keep the flag. */
export const AlertWordsRemoved = defineEvent('users.AlertWordsRemoved', {
  data: t.Object({ userId, wordIds }),
  subjects: ofOwner,
});
export type AlertWordsRemoved = FactOf<typeof AlertWordsRemoved>;

export type AlertWordEvent = AlertWordsAdded | AlertWordsRemoved;
