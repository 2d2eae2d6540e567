import { Kernel } from '@annals/kernel';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { PeopleQuota } from '@annals/realm';
import { Module } from '@nestjs/common';
import { AllowedEmails } from './application/email/allowed-emails';
import { AccountPasswords } from './application/sign-in/account-passwords';
import { ApiKeys } from './application/sign-in/api-keys';
import { FirstLogins } from './application/account/first-logins';
import { Avatars } from './application/profile/avatars';
import { AvatarPictures } from './application/profile/avatar-pictures';
import { IssueBotKeyHandler, RenewBotKeyHandler } from './application/bot/bot-keys';
import { BotStorages } from './application/bot/bot-storages';
import { RemoveFromBotStorageHandler, UpdateBotStorageHandler } from './application/bot/bot-storage';
import { ChangeBotHandler } from './application/bot/change-bot';
import { ChangeOwnAvatarHandler } from './application/profile/change-own-avatar';
import { AvatarStore } from './application/profile/avatar-store';
import { BotStorageSweep } from './jobs/bot-storage-sweep';
import { ResetRequestsSweep } from './jobs/reset-requests-sweep';
import { GetBotStorageHandler } from './read/bot/get-bot-storage';
import { GetOwnBotsHandler } from './read/bot/get-own-bots';
import { ChangeDefaultSettingsHandler, ChangeOwnSettingsHandler } from './application/change-own-settings';
import { ChangeSettingsOfUsersHandler } from './application/change-settings-of-users';
import { CreateBotHandler, DeactivateBotHandler } from './application/bot/bots';
import { AccountDeletion } from './application/account/account-deletion';
import { AccountUpdates } from './application/account/account-updates';
import { Deactivations } from './application/account/deactivations';
import { DeactivateUserHandler } from './application/account/deactivate-user';
import { DeactivateSelfHandler } from './application/account/deactivate-self';
import { AddAlertWordsHandler, RemoveAlertWordsHandler } from './application/alert-words/alert-words';
import { MutableUsers, MuteUserHandler, UnmuteUserHandler } from './application/muting/muted-users';
import { EndApiKeyHandler } from './application/sign-in/end-key';
import { EndSessionHandler, LogInBrowserHandler } from './application/sign-in/log-in-browser';
import { LogInHandler } from './application/sign-in/log-in';
import { GuardedPeopleQuota } from './application/account/guarded-people-quota';
import { NewAccounts } from './application/account/new-accounts';
import { SystemBots } from './application/account/system-bots';
import { OwnPassword } from './application/sign-in/own-password';
import { PasswordChecks } from './application/sign-in/password-checks';
import { PasswordLogin } from './application/sign-in/password-login';
import { ReplacedPasswords } from './application/sign-in/replaced-passwords';
import { Sessions } from './application/sign-in/sessions';
import { MailedTokens } from './application/sign-in/mailed-tokens';
import { PasswordResets } from './application/sign-in/password-resets';
import { ResetPasswordHandler } from './application/sign-in/reset-password';
import { BeginTwoFactorsHandler, EndTwoFactorsHandler } from './application/two-factors/change-two-factors';
import { EndTwoFactorsOfHandler } from './application/two-factors/end-two-factors-of';
import { EnterLoginCodeHandler } from './application/two-factors/enter-login-code';
import { PendingLogins } from './application/two-factors/pending-logins';
import { SecondFactors } from './application/two-factors/second-factors';
import { ConfirmEmailHandler, WantedEmails } from './application/email/email-changes';
import { Passwords } from './application/sign-in/passwords';
import { EmailChangeRules } from './application/email/email-rules';
import { OwnAccount } from './application/account/own-account';
import {
  ChangeProfileFieldHandler,
  CreateProfileFieldHandler,
  DeleteProfileFieldHandler,
  ReorderProfileFieldsHandler,
} from './application/profile/profile-fields';
import { ProfileValues, UpdateOwnProfileHandler } from './application/profile/profile-values';
import { RegenerateKeyHandler } from './application/sign-in/regenerate-key';
import { Uniqueness } from './application/account/uniqueness';
import { UpdateUserHandler } from './application/account/update-user';
import { EmailDirectory } from './read/email/email-directory';
import { KnownSessions } from './read/sign-in/known-sessions';
import { GetOwnLoginsHandler } from './read/sign-in/own-logins';
import { KnownApiKeys } from './read/account/known-api-keys';
import { GetUserHandler, GetUsersHandler } from './read/account/get-users';
import { PastUsers } from './read/account/past-users';
import { OwnSettingsFacts } from './read/settings/own-settings';
import { ListProfileFieldsHandler } from './read/profile/profile-fields';
import { AlertWordFacts, ListAlertWordsHandler } from './read/alert-words/alert-words';
import { MutedUserFacts } from './read/muting/muted-user-facts';
import { Profiles } from './read/profile/profiles';
import { UserFacts } from './read/account/user-facts';
import { Viewers } from './read/account/viewer';

/** Accounts: people, bots, their keys and roles. */
@Module({
  providers: [
    UserFacts,
    MutedUserFacts,
    AlertWordFacts,
    Viewers,
    EmailDirectory,
    OwnSettingsFacts,
    KnownApiKeys,
    KnownSessions,
    Sessions,
    Passwords,
    PasswordChecks,
    PasswordLogin,
    AccountPasswords,
    SecondFactors,
    PendingLogins,
    EnterLoginCodeHandler,
    BeginTwoFactorsHandler,
    EndTwoFactorsHandler,
    EndTwoFactorsOfHandler,
    MailedTokens,
    PasswordResets,
    ResetPasswordHandler,
    ConfirmEmailHandler,
    WantedEmails,
    OwnPassword,
    ApiKeys,
    FirstLogins,
    Uniqueness,
    AllowedEmails,
    EmailChangeRules,
    OwnAccount,
    NewAccounts,
    SystemBots,
    AccountUpdates,
    Deactivations,
    ReplacedPasswords,
    { provide: PeopleQuota, useClass: GuardedPeopleQuota },
    AvatarStore,
    Avatars,
    AvatarPictures,
    ChangeOwnAvatarHandler,
    CreateBotHandler,
    ChangeBotHandler,
    RenewBotKeyHandler,
    IssueBotKeyHandler,
    GetOwnBotsHandler,
    BotStorages,
    UpdateBotStorageHandler,
    RemoveFromBotStorageHandler,
    GetBotStorageHandler,
    DeactivateBotHandler,
    AccountDeletion,
    DeactivateUserHandler,
    DeactivateSelfHandler,
    LogInHandler,
    LogInBrowserHandler,
    EndSessionHandler,
    EndApiKeyHandler,
    GetOwnLoginsHandler,
    AddAlertWordsHandler,
    RemoveAlertWordsHandler,
    ListAlertWordsHandler,
    MutableUsers,
    MuteUserHandler,
    UnmuteUserHandler,
    RegenerateKeyHandler,
    UpdateUserHandler,
    ChangeOwnSettingsHandler,
    ChangeSettingsOfUsersHandler,
    Profiles,
    ProfileValues,
    CreateProfileFieldHandler,
    ChangeProfileFieldHandler,
    DeleteProfileFieldHandler,
    ReorderProfileFieldsHandler,
    UpdateOwnProfileHandler,
    ListProfileFieldsHandler,
    ChangeDefaultSettingsHandler,
    PastUsers,
    GetUserHandler,
    GetUsersHandler,
  ],
  exports: [
    Avatars,
    AvatarPictures,
    UserFacts,
    MutedUserFacts,
    AlertWordFacts,
    Viewers,
    PastUsers,
    Profiles,
    EmailDirectory,
    OwnSettingsFacts,
    KnownApiKeys,
    KnownSessions,
    Sessions,
    Passwords,
    PasswordChecks,
    PasswordLogin,
    AccountPasswords,
    SecondFactors,
    PendingLogins,
    MailedTokens,
    PasswordResets,
    WantedEmails,
    ApiKeys,
    BotStorages,
    FirstLogins,
    AllowedEmails,
    NewAccounts,
    SystemBots,
    AccountUpdates,
    Deactivations,
    ReplacedPasswords,
    PeopleQuota,
    ProfileValues,
  ],
})
export class UsersModule {}

/** The cleaning up in a worker. */
@Module({
  providers: [
    { provide: BotStorageSweep, inject: [Kernel], useFactory: (kernel: Kernel) => new BotStorageSweep(kernel) },
    { provide: ResetRequestsSweep, inject: [Kernel], useFactory: (kernel: Kernel) => new ResetRequestsSweep(kernel) },
  ],
})
export class UsersJobsModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly sweeps: readonly (BotStorageSweep | ResetRequestsSweep)[];

  constructor(storage: BotStorageSweep, requests: ResetRequestsSweep) {
    this.sweeps = [storage, requests];
  }

  onApplicationBootstrap(): void {
    for (const sweep of this.sweeps) sweep.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.sweeps.map((sweep) => sweep.stop()));
  }
}
