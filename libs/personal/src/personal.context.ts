import { defineContext } from '@annals/kernel';
import { draftDescriptions } from './audit/draft.audit';
import { navigationDescriptions } from './audit/navigation.audit';
import { onboardingDescriptions } from './audit/onboarding.audit';
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
  OnboardingStepSeen,
  SnippetDeleted,
  SnippetEdited,
  SnippetSaved,
} from './domain/events';
import { draftsFeed, draftsPresenter } from './feed/drafts.feed';
import { navigationFeed, navigationPresenter } from './feed/navigation.feed';
import { onboardingStepsFeed, onboardingStepsPresenter } from './feed/onboarding-steps.feed';
import { snippetsFeed, snippetsPresenter } from './feed/snippets.feed';
import { draftsRegisterBlock } from './read/drafts';
import { draftsView } from './read/drafts.view';
import { navigationRegisterBlock } from './read/navigation-views';
import { navigationViewsView } from './read/navigation-views.view';
import { onboardingStepsRegisterBlock } from './read/onboarding-steps';
import { onboardingStepsView } from './read/onboarding-steps.view';
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
    OnboardingStepSeen,
  ],
  guards: [snippetRoom, draftsKnown],
  descriptions: [...navigationDescriptions, ...snippetDescriptions, ...draftDescriptions, ...onboardingDescriptions],
  projections: [navigationViewsView, savedSnippetsView, draftsView, onboardingStepsView],
  feeds: [navigationFeed, snippetsFeed, draftsFeed, onboardingStepsFeed],
  presenters: [navigationPresenter, snippetsPresenter, draftsPresenter, onboardingStepsPresenter],
  registerBlocks: [navigationRegisterBlock, snippetsRegisterBlock, draftsRegisterBlock, onboardingStepsRegisterBlock],
});
