import { defineProjection, on } from '@annals/kernel';
import { ProfileDeleted } from '@annals/users';
import { SnippetDeleted, SnippetEdited, SnippetSaved, idAt } from '../domain/events';

const ERASED = { title: null, content: null };

/** The saved snippets of all accounts. */
export const savedSnippetsView = defineProjection({
  name: 'saved_snippets',
  version: 2,
  lifecycle: 'inline',
  tables: {
    saved_snippets: {
      columns: {
        user_id: 'int8',
        snippet_id: 'int8',
        /** Null once they were erased, both of them. */
        title: 'text',
        content: 'text',
        /** Milliseconds. */
        saved_at: 'int8',
      },
      key: ['user_id', 'snippet_id'],
      sealed: ['title', 'content'],
    },
  },
  handlers: [
    on(ProfileDeleted, ({ data: { userId } }, rows) => rows.delete('saved_snippets', { user_id: userId })),
    on(SnippetSaved, ({ data, sealed, position, at }, rows) => {
      const { title, content } = sealed === 'erased' ? ERASED : sealed;
      const key = { user_id: data.userId, snippet_id: idAt(position) };
      rows.insert('saved_snippets', { ...key, title, content, saved_at: at });
    }),
    on(SnippetEdited, ({ data: { userId, snippetId }, sealed }, rows) => {
      const { title, content } = sealed === 'erased' ? ERASED : sealed;
      rows.update('saved_snippets', { user_id: userId, snippet_id: snippetId }, { title, content });
    }),
    on(SnippetDeleted, ({ data: { userId, snippetId } }, rows) =>
      rows.delete('saved_snippets', { user_id: userId, snippet_id: snippetId }),
    ),
  ],
});
