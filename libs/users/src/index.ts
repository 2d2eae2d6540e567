export { UsersJobsModule, UsersModule } from './users.module';
export { BotStorages } from './application/bot/bot-storages';
export { BotStorageSweep } from './jobs/bot-storage-sweep';
export { ResetRequestsSweep } from './jobs/reset-requests-sweep';
export { usersContext } from './users.context';
export { departuresFeed } from './feed/users.feed';
export {
  DIRECTORY_ENDING_COMMANDS,
  JOINING_COMMANDS,
  OPENING_COMMANDS,
  REACTIVATING_COMMANDS,
} from './audit/account-commands';
export {
  AccountCreated,
  AddressChanged,
  ApiKeyIssued,
  ApiKeysRevoked,
  AvatarChanged,
  BotDefaultsChanged,
  BotOwnerChanged,
  BotProgramChosen,
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
export type { AccountEvent } from './domain/events';
export type { SpecialPermissions } from './domain/settings/special-permissions';
export { changePermissions } from './domain/settings/special-permissions';
export type { Account, NewAccount } from './domain/account/account';
export { openAccount, setPassword, userAggregate } from './domain/account/account';
export { grantKey, issueKey, logIn, regenerateKey } from './domain/sign-in/keys';
export { systemBot } from './domain/account/system-bot';
export type { OrphanedPlace } from './domain/account/account-parts';
export { isActive, isOrphaned } from './domain/account/account-parts';
export { ensureStrong } from './domain/account/password';
export { DIRECTORY_RIGHTS, mayReactivate } from './domain/policies';
export { reactivate } from './domain/account/account-lifecycle';
export { EmailVisibility, hasOpenEmail } from './domain/email/email-visibility';
export { mayCreateBot, mayCreateUsers, mayMoveOneself, mayRenameOneself } from './domain/policies';
export { FirstLogins } from './application/account/first-logins';
export { ApiKeys } from './application/sign-in/api-keys';
export type { PasswordPlace } from './application/sign-in/account-passwords';
export { AccountPasswords } from './application/sign-in/account-passwords';
export type { EnteredPassword } from './application/sign-in/password-checks';
export { PasswordCheck, PasswordChecks } from './application/sign-in/password-checks';
export { ChangeOwnSettings } from './application/change-own-settings';
export { isAboutName, isGuess, isWeakPassword, isWrongPassword } from './domain/rejections';
export { ABSOLUTE_MS as SESSION_AGE_MS } from './domain/sign-in/sessions';
export { MailedTokens } from './application/sign-in/mailed-tokens';
export { PasswordReset } from './domain/sign-in/mailed-link-events';
export { PasswordResets, giveResetLink } from './application/sign-in/password-resets';
export { ResetPassword } from './application/sign-in/reset-password';
export { appSecretOf, appUri, newAppSecret } from './application/two-factors/authenticator-app';
export { BeginTwoFactors, EndTwoFactors } from './application/two-factors/change-two-factors';
export { EndTwoFactorsOf, endTwoFactorsFor } from './application/two-factors/end-two-factors-of';
export { EnterLoginCode } from './application/two-factors/enter-login-code';
export type { PendingLogin } from './application/two-factors/pending-logins';
export { PendingLogins } from './application/two-factors/pending-logins';
export { SecondFactors } from './application/two-factors/second-factors';
export { ConfirmEmail, WantedEmails } from './application/email/email-changes';
export { EndApiKey } from './application/sign-in/end-key';
export { EndSession, LogInBrowser } from './application/sign-in/log-in-browser';
export type { SessionAccount } from './application/sign-in/sessions';
export { Sessions } from './application/sign-in/sessions';
export { TwoFactorsBegan } from './domain/sign-in/two-factor-events';
export { SessionBegan, SessionsEnded } from './domain/sign-in/session-events';
export type { OwnKey, OwnSession } from './read/sign-in/own-logins';
export { GetOwnLogins } from './read/sign-in/own-logins';
export { KnownSessions } from './read/sign-in/known-sessions';
export { KeyEndings } from './application/sign-in/key-endings';
export type { BotProgram } from './domain/account/bot-programs';
export { readBotPrograms } from './read/bot/bot-programs';
export type { WebhookFormat } from './domain/account/webhook-formats';
export type { KnownBotWebhook } from './read/bot/bot-webhooks';
export { readBotWebhooks } from './read/bot/bot-webhooks';
export { CreateBot, DeactivateBot } from './application/bot/bots';
export { AccountUpdates } from './application/account/account-updates';
export { DeactivateUser } from './application/account/deactivate-user';
export { Deactivations } from './application/account/deactivations';
export { LogIn } from './application/sign-in/log-in';
export { stillActive } from './application/guards';
export { activeSinceSql } from './read/account/active-since';
export { AllowedEmails } from './application/email/allowed-emails';
export { GuardedPeopleQuota } from './application/account/guarded-people-quota';
export { NewAccounts } from './application/account/new-accounts';
export { SystemBots } from './application/account/system-bots';
export type { PasswordSecret } from './application/sign-in/passwords';
export { Passwords } from './application/sign-in/passwords';
export { ReplacedPasswords } from './application/sign-in/replaced-passwords';
export { ChangeBot } from './application/bot/change-bot';
export { ChangeOwnAvatar } from './application/profile/change-own-avatar';
export { handOver } from './application/bot/bot-ownership';
export { Avatars } from './application/profile/avatars';
export { AvatarStore } from './application/profile/avatar-store';
export { UpdateUser } from './application/account/update-user';
export { API_KEY } from './read/account/api-key';
export { KnownApiKeys } from './read/account/known-api-keys';
export { GetUser } from './read/account/get-users';
export { isSameEmail, personKey } from './domain/account/names';
export { isTimezone } from './domain/account/timezone';
export { changeOwnSettings, ownSettingsAggregate } from './domain/settings/own-settings';
export type { OwnSettings } from './domain/settings/settings';
export { TargetGroups } from './read/settings/target-groups';
export { OwnSettingsFacts, readEffectiveSettings, settingsOf } from './read/settings/own-settings';
export { UserMuted, UserUnmuted } from './domain/muting/muting-events';
export { usersAlertedBy } from './domain/alert-words/alert-word-index';
export { AlertWordFacts } from './read/alert-words/alert-words';
export { SynchronizedDrafts } from './application/synchronized-drafts';
export { MutedMessages } from './application/muting/muted-messages';
export { MutedUserFacts } from './read/muting/muted-user-facts';
export type { HadMuted, MuteSpan } from './read/muting/muted-users';
export { hadMutedIn, hadMutedSql, mutersSql, readHadMuted } from './read/muting/muted-users';
export { NewestMessage } from './read/newest-message';
export type {
  ReadAccessibleUsers,
  ReadUserAccessHistory,
  UserAccessHistory,
  UserAccessQuery,
} from './read/account/user-access';
export { UserAccess } from './read/account/user-access';
export { NOW, before, userAccessEvent } from './feed/user-access-events';
export { guestsPresenter } from './feed/guests.presenter';
export { botsPresenter } from './feed/bots.presenter';
export { administratorsOf, botEvent } from './feed/users.feed';
export type { ReadChannelNames } from './read/bot/bot-channels.port';
export { BotChannels } from './read/bot/bot-channels.port';
export { botsRegisterBlock, usersRegisterBlock } from './read/register';
export { unknownUser } from './read/account/unknown-user';
export type { EmailsAt } from './read/email/emails-at';
export { readEmailsAt } from './read/email/emails-at';
export { FieldType } from './domain/profile/profile-events';
export { readProfileFields } from './read/profile/profile-fields';
export { ProfileValues } from './application/profile/profile-values';
export { avatarUrlFor } from './read/profile/avatar';
export { EmailDirectory } from './read/email/email-directory';
export { presentUser } from './read/account/present-user';
export type { Viewer } from './read/account/viewer';
export { Viewers, emailFor, realEmail, viewerOf } from './read/account/viewer';
export { UserFacts } from './read/account/user-facts';
export type { UserRow } from './read/account/user-row';
export { departedAmong, readAllUsers, readUsers } from './read/account/user-row';
export { readOwners } from './read/account/owners';
