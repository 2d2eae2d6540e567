import { ChannelsModule } from '@annals/channels';
import { GroupsModule } from '@annals/groups';
import { BearerTokens } from '@annals/kernel';
import { OnboardingModule } from '@annals/onboarding';
import { UsersModule } from '@annals/users';
import { Module } from '@nestjs/common';
import { NewPasswords } from './application/scim/new-passwords';
import {
  ChangeScimGroupHandler,
  CreateScimGroupHandler,
  RemoveScimGroupHandler,
} from './application/scim/scim-group-commands';
import {
  ChangeScimUserHandler,
  CreateScimUserHandler,
  RemoveScimUserHandler,
} from './application/scim/scim-user-commands';
import { ScimGroups } from './application/scim/scim-groups';
import { ScimUsers } from './application/scim/scim-users';
import { UserChanges } from './application/scim/user-changes';
import { EndTokenHandler } from './application/tokens/end-token';
import { IssueTokenHandler, TokenIssue } from './application/tokens/issue-token';
import { ScimLists } from './read/scim/scim-lists';
import { KnownTokens } from './read/tokens/known-tokens';
import { ListTokensHandler } from './read/tokens/list-tokens';

/** Accounts and groups as directories say. Provides `BearerTokens`. */
@Module({
  imports: [UsersModule, GroupsModule, ChannelsModule, OnboardingModule],
  providers: [
    KnownTokens,
    { provide: BearerTokens, useExisting: KnownTokens },
    TokenIssue,
    IssueTokenHandler,
    EndTokenHandler,
    ListTokensHandler,
    NewPasswords,
    UserChanges,
    ScimUsers,
    ScimGroups,
    ScimLists,
    CreateScimUserHandler,
    ChangeScimUserHandler,
    RemoveScimUserHandler,
    CreateScimGroupHandler,
    ChangeScimGroupHandler,
    RemoveScimGroupHandler,
  ],
  exports: [BearerTokens, ScimLists],
})
export class ProvisioningModule {}
