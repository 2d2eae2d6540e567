import type { Projection } from '@annals/kernel';
import type { Fact, Position, UserId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { recorded } from '../../../../test/support/events/recorded-events';
import {
  DraftEdited,
  DraftSaved,
  NavigationViewAdded,
  NavigationViewRenamed,
  SnippetEdited,
  SnippetSaved,
} from '../domain/events';
import { draftsView } from './drafts.view';
import { navigationViewsView } from './navigation-views.view';
import { savedSnippetsView } from './saved-snippets.view';

const userId = 7 as UserId;
const position = 5 as Position;

/** The rows after an event whose texts were erased. */
function changesOf(view: Projection, one: Fact): unknown[] {
  const changes: unknown[] = [];
  const note = (...change: readonly unknown[]) => changes.push(change.slice(1));
  view.handlers.get(one.type)?.(
    { ...recorded(one, { position }), sealed: 'erased' },
    {
      insert: note,
      upsert: note,
      update: note,
      delete: note,
    },
  );
  return changes;
}

describe('rows whose texts were erased', () => {
  it('are views without fragment and name', () => {
    const added = fact(NavigationViewAdded, { userId, isPinned: true }, { fragment: 'narrow/is/dm', name: 'Mine' });
    expect(changesOf(navigationViewsView, added)).toEqual([
      [{ user_id: 7, view_id: 5, fragment: null, name: null, is_pinned: true }],
    ]);
    const renamed = fact(NavigationViewRenamed, { userId, viewId: 5 }, { fragment: 'narrow/is/dm', name: 'New' });
    expect(changesOf(navigationViewsView, renamed)).toEqual([[{ user_id: 7, view_id: 5 }, { name: null }]]);
  });

  it('are snippets without title and content', () => {
    const text = { title: 'Hi', content: 'there' };
    const [inserted] = changesOf(savedSnippetsView, fact(SnippetSaved, { userId }, text)) as [[object]];
    expect(inserted[0]).toMatchObject({ user_id: 7, snippet_id: 5, title: null, content: null });
    const edited = fact(SnippetEdited, { userId, snippetId: 5, savedAt: 0 }, text);
    expect(changesOf(savedSnippetsView, edited)).toEqual([
      [
        { user_id: 7, snippet_id: 5 },
        { title: null, content: null },
      ],
    ]);
  });

  it('are drafts without content and topic', () => {
    const [draft, text] = [
      { userId, target: null, editedAt: 9 },
      { content: 'there', topic: 'lunch' },
    ] as const;
    const columns = { target: null, content: null, topic: null, edited_at: 9 };
    expect(changesOf(draftsView, fact(DraftSaved, draft, text))).toEqual([[{ user_id: 7, draft_id: 5, ...columns }]]);
    expect(changesOf(draftsView, fact(DraftEdited, { draftId: 3, ...draft }, text))).toEqual([
      [{ user_id: 7, draft_id: 3 }, columns],
    ]);
  });
});
