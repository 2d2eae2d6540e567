import { defineContext } from '@annals/kernel';
import { navigationDescriptions } from './audit/navigation.audit';
import { snippetDescriptions } from './audit/snippet.audit';
import { snippetRoom } from './application/guards';
import {
  NavigationViewAdded,
  NavigationViewPinned,
  NavigationViewRemoved,
  NavigationViewRenamed,
  SnippetDeleted,
  SnippetEdited,
  SnippetSaved,
} from './domain/events';
import { navigationFeed, navigationPresenter } from './feed/navigation.feed';
import { snippetsFeed, snippetsPresenter } from './feed/snippets.feed';
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
  ],
  guards: [snippetRoom],
  descriptions: [...navigationDescriptions, ...snippetDescriptions],
  projections: [navigationViewsView, savedSnippetsView],
  feeds: [navigationFeed, snippetsFeed],
  presenters: [navigationPresenter, snippetsPresenter],
  registerBlocks: [navigationRegisterBlock, snippetsRegisterBlock],
});
