import { Module } from '@nestjs/common';
import { AllowedAddresses } from './application/allowed-addresses';
import { ApiKeys } from './application/api-keys';
import { Arrivals } from './application/arrivals';
import { Avatars } from './application/avatars';
import { ChangeBotHandler, RenewBotKeyHandler } from './application/change-bot';
import { ChangeOwnAvatarHandler } from './application/change-own-avatar';
import { KeptAvatars } from './application/kept-avatars';
import { GetOwnBotsHandler } from './read/get-own-bots';
import { ChangeDefaultSettingsHandler, ChangeOwnSettingsHandler } from './application/change-own-settings';
import { CreateBotHandler, DeactivateBotHandler } from './application/bots';
import { DepartedAccounts } from './application/departed-accounts';
import { DeactivateUserHandler } from './application/deactivate-user';
import { LeaveHandler } from './application/leave';
import { LogInHandler } from './application/log-in';
import { NewAccounts } from './application/new-accounts';
import { OwnPassword } from './application/own-password';
import { Passwords } from './application/passwords';
import { AddressesOfAccounts } from './application/address-rules';
import { OwnAccount } from './application/own-account';
import {
  ChangeProfileFieldHandler,
  CreateProfileFieldHandler,
  DeleteProfileFieldHandler,
  ReorderProfileFieldsHandler,
} from './application/profile-fields';
import { ProfileValues, UpdateOwnProfileHandler } from './application/profile-values';
import { RegenerateKeyHandler } from './application/regenerate-key';
import { Uniqueness } from './application/uniqueness';
import { UpdateUserHandler } from './application/update-user';
import { AddressBook } from './read/address-book';
import { Credentials } from './read/credentials';
import { GetUserHandler, GetUsersHandler } from './read/get-users';
import { OwnSettingsFacts } from './read/own-settings';
import { ListProfileFieldsHandler } from './read/profile-fields';
import { Profiles } from './read/profiles';
import { UserFacts } from './read/user-facts';
import { Viewers } from './read/viewer';

/** Accounts: people, bots, their keys and roles. */
@Module({
  providers: [
    UserFacts,
    Viewers,
    AddressBook,
    OwnSettingsFacts,
    Credentials,
    Passwords,
    OwnPassword,
    ApiKeys,
    Arrivals,
    Uniqueness,
    AllowedAddresses,
    AddressesOfAccounts,
    OwnAccount,
    NewAccounts,
    KeptAvatars,
    Avatars,
    ChangeOwnAvatarHandler,
    CreateBotHandler,
    ChangeBotHandler,
    RenewBotKeyHandler,
    GetOwnBotsHandler,
    DeactivateBotHandler,
    DepartedAccounts,
    DeactivateUserHandler,
    LeaveHandler,
    LogInHandler,
    RegenerateKeyHandler,
    UpdateUserHandler,
    ChangeOwnSettingsHandler,
    Profiles,
    ProfileValues,
    CreateProfileFieldHandler,
    ChangeProfileFieldHandler,
    DeleteProfileFieldHandler,
    ReorderProfileFieldsHandler,
    UpdateOwnProfileHandler,
    ListProfileFieldsHandler,
    ChangeDefaultSettingsHandler,
    GetUserHandler,
    GetUsersHandler,
  ],
  exports: [
    Avatars,
    UserFacts,
    Viewers,
    Profiles,
    AddressBook,
    OwnSettingsFacts,
    Credentials,
    Passwords,
    ApiKeys,
    Arrivals,
    NewAccounts,
  ],
})
export class UsersModule {}
