export { UsersHttpModule, UsersModule } from './users.module';
export { usersContext } from './users.context';
export { departuresFeed } from './feed/users.feed';
export {
  AccountCreated,
  ApiKeyIssued,
  ApiKeysRevoked,
  BotAcquired,
  Deactivated,
  FirstLoggedIn,
  FullNameChanged,
  OwnSettingsChanged,
  PasswordSet,
  RoleChanged,
} from './domain/events';
export type { KeyId } from './domain/events';
export type { Account, NewAccount } from './domain/account';
export { ERASED_NAME, issueKey, logIn, openAccount, setPassword, userAggregate } from './domain/account';
export { emailKey } from './domain/names';
export { ensureStrong } from './domain/password';
export { mayCreateUsers } from './domain/policies';
export type { PasswordSecret } from './application/passwords';
export { ApiKeys } from './application/api-keys';
export { CreateBot, DeactivateBot } from './application/bots';
export { DeactivateUser } from './application/deactivate-user';
export { LogIn } from './application/log-in';
export { stillActive } from './application/guards';
export { activeSinceSql } from './read/activity';
export { NewAccounts } from './application/new-accounts';
export { Passwords } from './application/passwords';
export { UpdateUser } from './application/update-user';
export { API_KEY } from './read/api-key';
export { Credentials } from './read/credentials';
export { GetUser, GetUsers } from './read/get-users';
export { nameKey as personKey } from './domain/names';
export type { OwnSettings } from './domain/settings';
export { OwnSettingsFacts } from './read/own-settings';
export { NewestMessage } from './read/newest-message';
export type { PresentOptions } from './read/present-user';
export { avatarUrl, presentUser } from './read/present-user';
export { UserFacts } from './read/user-facts';
export type { UserRow } from './read/user-row';
export { departedAmong, readAllUsers, readUsers } from './read/user-row';
export { listedUserShape } from './http/shapes';
