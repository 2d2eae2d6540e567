import { ChannelsModule } from '@annals/channels';
import { MessagesModule } from '@annals/messages';
import { UsersModule } from '@annals/users';
import { Module } from '@nestjs/common';
import { DraftBodies } from '../application/draft-bodies';
import { CreateDraftsHandler, DeleteDraftHandler, EditDraftHandler } from '../application/drafts';
import {
  AddNavigationViewHandler,
  ChangeNavigationViewHandler,
  RemoveNavigationViewHandler,
} from '../application/navigation-views';
import { SeeOnboardingStepHandler } from '../application/onboarding-steps';
import { DeleteSnippetHandler, EditSnippetHandler, SaveSnippetHandler } from '../application/saved-snippets';
import { ListDraftsHandler } from '../read/drafts';
import { ListNavigationViewsHandler } from '../read/navigation-views';
import { ListSnippetsHandler } from '../read/saved-snippets';
import { DraftsController } from './drafts.controller';
import { NavigationViewsController } from './navigation-views.controller';
import { OnboardingStepsController } from './onboarding-steps.controller';
import { SavedSnippetsController } from './saved-snippets.controller';

/** Personal lists of a user: navigation views, saved snippets and drafts. No other context depends on it. */
@Module({
  imports: [UsersModule, ChannelsModule, MessagesModule],
  providers: [
    AddNavigationViewHandler,
    ChangeNavigationViewHandler,
    RemoveNavigationViewHandler,
    ListNavigationViewsHandler,
    SaveSnippetHandler,
    EditSnippetHandler,
    DeleteSnippetHandler,
    ListSnippetsHandler,
    DraftBodies,
    CreateDraftsHandler,
    EditDraftHandler,
    DeleteDraftHandler,
    ListDraftsHandler,
    SeeOnboardingStepHandler,
  ],
  controllers: [NavigationViewsController, SavedSnippetsController, DraftsController, OnboardingStepsController],
})
export class PersonalHttpModule {}
