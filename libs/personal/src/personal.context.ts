import { defineContext } from '@annals/kernel';
import { draftDescriptions } from './audit/draft.audit';
import { navigationDescriptions } from './audit/navigation.audit';
import { snippetDescriptions } from './audit/snippet.audit';
import { draftsKnown, snippetRoom } from './application/guards';
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
} from './domain/events';
import { draftsFeed, draftsPresenter } from './feed/drafts.feed';
import { navigationFeed, navigationPresenter } from './feed/navigation.feed';
import { snippetsFeed, snippetsPresenter } from './feed/snippets.feed';
import { draftsRegisterBlock } from './read/drafts';
import { draftsView } from './read/drafts.view';
import { navigationRegisterBlock } from './read/navigation-views';
import { navigationViewsView } from './read/navigation-views.view';
import { snippetsRegisterBlock } from './read/saved-snippets';
import { savedSnippetsView } from './read/saved-snippets.view';

export const personalContext = defineContext({
  name: 'personal',
  events: [
    NavigationViewAdded,
    NavigationViewPinned,
    NavigationViewRenamed,
    NavigationViewRemoved,
    SnippetSaved,
    SnippetEdited,
    SnippetDeleted,
    DraftSaved,
    DraftEdited,
    DraftDeleted,
    DraftsDiscarded,
  ],
  guards: [snippetRoom, draftsKnown],
  descriptions: [...navigationDescriptions, ...snippetDescriptions, ...draftDescriptions],
  projections: [navigationViewsView, savedSnippetsView, draftsView],
  feeds: [navigationFeed, snippetsFeed, draftsFeed],
  presenters: [navigationPresenter, snippetsPresenter, draftsPresenter],
  registerBlocks: [navigationRegisterBlock, snippetsRegisterBlock, draftsRegisterBlock],
});
