import { defineContext } from '@annals/kernel';
import { realmPresenter, realmRegisterBlock } from '@annals/realm';
import { emailFree, lastOwner, nameFree, stillActive } from './application/guards';
import {
  AccountCreated,
  AddressChanged,
  ApiKeyIssued,
  ApiKeysRevoked,
  AvatarChanged,
  BotAcquired,
  BotDefaultsChanged,
  BotOwnerChanged,
  BotReleased,
  DefaultSettingsChanged,
  Deactivated,
  FirstLoggedIn,
  FullNameChanged,
  OwnSettingsChanged,
  MessagesDisowned,
  PasswordSet,
  ProfileDeleted,
  Reactivated,
  RoleChanged,
  SpecialPermissionsChanged,
} from './domain/events';
import { AVATARS } from './application/profile/avatar-store';
import { PROFILE_FIELD_EVENTS, ProfileValueCleared, ProfileValueSet } from './domain/profile/profile-events';
import { profileFieldsPresenter, profilesFeed } from './feed/profiles.feed';
import { usersFeed } from './feed/users.feed';
import { defaultSettingsPresenter, ownSettingsPresenter } from './feed/users.presenter';
import { defaultSettingsView, ownSettingsView } from './read/settings/own-settings.view';
import { ownSettingsRegisterBlock } from './read/settings/own-settings-block';
import { profileFieldsRegisterBlock } from './read/profile/profile-fields';
import { profilesView } from './read/profile/profiles.view';
import { departedAmong } from './read/account/user-row';
import { usersView } from './read/account/users.view';

/** Brings what the organization shows of itself too, because that leaves deactivated people out. */
export const usersContext = defineContext({
  name: 'users',
  events: [
    AccountCreated,
    BotAcquired,
    BotReleased,
    BotOwnerChanged,
    BotDefaultsChanged,
    AvatarChanged,
    FullNameChanged,
    AddressChanged,
    SpecialPermissionsChanged,
    RoleChanged,
    Deactivated,
    Reactivated,
    ProfileDeleted,
    MessagesDisowned,
    PasswordSet,
    ApiKeyIssued,
    ApiKeysRevoked,
    FirstLoggedIn,
    OwnSettingsChanged,
    DefaultSettingsChanged,
    ...PROFILE_FIELD_EVENTS,
    ProfileValueSet,
    ProfileValueCleared,
  ],
  guards: [emailFree, nameFree, lastOwner, stillActive],
  projections: [usersView, ownSettingsView, defaultSettingsView, profilesView],
  bytes: [AVATARS],
  feeds: [usersFeed, profilesFeed],
  presenters: [ownSettingsPresenter, defaultSettingsPresenter, profileFieldsPresenter, realmPresenter(departedAmong)],
  registerBlocks: [ownSettingsRegisterBlock, profileFieldsRegisterBlock, realmRegisterBlock(departedAmong)],
});
