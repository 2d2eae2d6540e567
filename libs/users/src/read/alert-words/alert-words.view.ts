import { defineProjection, on } from '@annals/kernel';
import { AlertWordsAdded, AlertWordsRemoved } from '../../domain/alert-words/alert-word-events';
import { ProfileDeleted } from '../../domain/events';

/** The alert words of all accounts. */
export const alertWordsView = defineProjection({
  name: 'alert_words',
  version: 1,
  lifecycle: 'inline',
  tables: {
    alert_words: {
      columns: {
        user_id: 'int4',
        word_id: 'int4',
        /** Null once it was erased. */
        word: 'text',
      },
      key: ['user_id', 'word_id'],
      sealed: ['word'],
    },
  },
  handlers: [
    on(AlertWordsAdded, ({ data: { userId, wordIds }, sealed }, rows) => {
      for (const [n, word_id] of wordIds.entries()) {
        const word = sealed === 'erased' ? null : (sealed.words[n] ?? null);
        rows.insert('alert_words', { user_id: userId, word_id, word });
      }
    }),
    on(AlertWordsRemoved, ({ data: { userId, wordIds } }, rows) => {
      for (const word_id of wordIds) rows.delete('alert_words', { user_id: userId, word_id });
    }),
    on(ProfileDeleted, ({ data: { userId } }, rows) => rows.delete('alert_words', { user_id: userId })),
  ],
});
