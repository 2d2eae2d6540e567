import { Module } from '@nestjs/common';
import {
  AddNavigationViewHandler,
  ChangeNavigationViewHandler,
  RemoveNavigationViewHandler,
} from '../application/navigation-views';
import { DeleteSnippetHandler, EditSnippetHandler, SaveSnippetHandler } from '../application/saved-snippets';
import { ListNavigationViewsHandler } from '../read/navigation-views';
import { ListSnippetsHandler } from '../read/saved-snippets';
import { NavigationViewsController } from './navigation-views.controller';
import { SavedSnippetsController } from './saved-snippets.controller';

/** Personal lists of a user: navigation views and saved snippets. No other context depends on it. */
@Module({
  providers: [
    AddNavigationViewHandler,
    ChangeNavigationViewHandler,
    RemoveNavigationViewHandler,
    ListNavigationViewsHandler,
    SaveSnippetHandler,
    EditSnippetHandler,
    DeleteSnippetHandler,
    ListSnippetsHandler,
  ],
  controllers: [NavigationViewsController, SavedSnippetsController],
})
export class PersonalHttpModule {}
