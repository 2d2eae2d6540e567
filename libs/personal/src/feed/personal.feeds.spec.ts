import type { Feed, PositionedClientEvent, Presenter, QueueProfile } from '@annals/kernel';
import type { Fact, Position, Recorded, UserId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { recorded } from '../../../../test/support/events/recorded-events';
import {
  DraftDeleted,
  DraftEdited,
  DraftSaved,
  DraftsDiscarded,
  NavigationViewAdded,
  NavigationViewPinned,
  NavigationViewRemoved,
  NavigationViewRenamed,
  SnippetDeleted,
  SnippetEdited,
  SnippetSaved,
} from '../domain/events';
import { draftsFeed, draftsPresenter } from './drafts.feed';
import { navigationFeed, navigationPresenter } from './navigation.feed';
import { snippetsFeed, snippetsPresenter } from './snippets.feed';

const userId = 7 as UserId;
const view = { userId, viewId: 3 };
const fragment = 'narrow/is/dm';
const snippet = { userId, snippetId: 4, savedAt: 5_000 };
const text = { title: 'Hi', content: 'there' };

/** The client events of one append for the owner. */
async function received(feed: Feed, presenter: Presenter, facts: readonly Fact[], isErased = false) {
  const append = facts.map((one, n) => {
    const event: Recorded = recorded<Fact>(one, { position: (n + 1) as Position });
    return isErased && event.sealed !== null ? { ...event, sealed: 'erased' } : event;
  });
  const clientEvents = append.flatMap((event) =>
    (feed.translations.get(event.type)?.(event, null, append) ?? []).map((one) => ({
      ...one,
      position: event.position,
      k: 0,
    })),
  );
  for (const { audience } of clientEvents) expect(audience).toEqual({ kind: 'users', users: [userId] });
  expect(JSON.stringify(clientEvents)).not.toMatch(/narrow|there/);
  const load = presenter.load as (reader: object, events: readonly PositionedClientEvent[]) => Promise<unknown>;
  const loaded = await load({ at: async () => append }, clientEvents);
  return clientEvents.flatMap((event) => presenter.present(event, loaded as never, {} as QueueProfile));
}

const pinned = fact(NavigationViewPinned, { ...view, isPinned: false }, { fragment });
const renamed = fact(NavigationViewRenamed, view, { fragment, name: 'Mine' });
const views = (...facts: readonly Fact[]) => received(navigationFeed, navigationPresenter, facts);
const snippets = (...facts: readonly Fact[]) => received(snippetsFeed, snippetsPresenter, facts);

describe('client events of views', () => {
  const update = { type: 'navigation_view', op: 'update', fragment };

  it('are each change, with its texts', async () => {
    const added = fact(NavigationViewAdded, { userId, isPinned: true }, { fragment, name: 'Private' });
    expect(await views(added)).toEqual([
      { type: 'navigation_view', op: 'add', navigation_view: { fragment, is_pinned: true, name: 'Private' } },
    ]);
    expect(await views(pinned)).toEqual([{ ...update, data: { is_pinned: false } }]);
    expect(await views(renamed)).toEqual([{ ...update, data: { name: 'Mine' } }]);
    expect(await views(fact(NavigationViewRemoved, view, { fragment }))).toEqual([{ ...update, op: 'remove' }]);
  });

  it('are one event for both changes of one request', async () => {
    expect(await views(pinned, renamed)).toEqual([{ ...update, data: { is_pinned: false, name: 'Mine' } }]);
  });

  it('are absent once the texts were erased', async () => {
    expect(await received(navigationFeed, navigationPresenter, [pinned, renamed], true)).toEqual([]);
  });
});

describe('client events of snippets', () => {
  const clientEvents = { type: 'saved_snippets', saved_snippet: { id: 4, ...text, date_created: 5 } };

  it('are the whole snippet, or its id', async () => {
    const [saved] = await snippets(fact(SnippetSaved, { userId }, text));
    expect(saved).toMatchObject({ op: 'add', saved_snippet: { id: 1, ...text } });
    expect(await snippets(fact(SnippetEdited, snippet, text))).toEqual([{ ...clientEvents, op: 'update' }]);
    const deleted = fact(SnippetDeleted, { userId, snippetId: 4 });
    expect(await snippets(deleted)).toEqual([{ type: 'saved_snippets', op: 'remove', saved_snippet_id: 4 }]);
  });

  it('are only the deletion once the texts were erased', async () => {
    const facts = [fact(SnippetEdited, snippet, text), fact(SnippetDeleted, { userId, snippetId: 4 })];
    const said = await received(snippetsFeed, snippetsPresenter, facts, true);
    expect(said).toEqual([{ type: 'saved_snippets', op: 'remove', saved_snippet_id: 4 }]);
  });
});

describe('client events of drafts', () => {
  const drafts = (...facts: readonly Fact[]) => received(draftsFeed, draftsPresenter, facts);
  const texts = { content: 'there', topic: '' };
  const saved = fact(DraftSaved, { userId, target: null, editedAt: 5_000 }, texts);
  const edited = fact(DraftEdited, { userId, draftId: 4, target: { userIds: [userId] }, editedAt: 6_999 }, texts);
  const deleted = fact(DraftDeleted, { userId, draftId: 4 });

  it('are one event for all that a request saved', async () => {
    const draft = { type: '', to: [], ...texts, timestamp: 5 };
    expect(await drafts(saved, saved)).toEqual([
      {
        type: 'drafts',
        op: 'add',
        drafts: [
          { id: 1, ...draft },
          { id: 2, ...draft },
        ],
      },
    ]);
  });

  it('are the whole draft, or its id', async () => {
    const draft = { id: 4, type: 'private', to: [7], ...texts, timestamp: 6 };
    expect(await drafts(edited)).toEqual([{ type: 'drafts', op: 'update', draft }]);
    expect(await drafts(deleted)).toEqual([{ type: 'drafts', op: 'remove', draft_id: 4 }]);
  });

  it('are none for those that are discarded, since clients keep them', async () => {
    expect(await drafts(fact(DraftsDiscarded, { userId, draftIds: [4, 5] }))).toEqual([]);
  });

  it('are only the deletion once the texts were erased', async () => {
    const said = await received(draftsFeed, draftsPresenter, [saved, edited, deleted], true);
    expect(said).toEqual([{ type: 'drafts', op: 'remove', draft_id: 4 }]);
  });
});
