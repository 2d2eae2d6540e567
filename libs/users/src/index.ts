export { UsersModule } from './users.module';
export { usersContext } from './users.context';
export { departuresFeed } from './feed/users.feed';
export {
  AccountCreated,
  AddressChanged,
  ApiKeyIssued,
  ApiKeysRevoked,
  AvatarChanged,
  BotDefaultsChanged,
  BotOwnerChanged,
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
export type { SpecialPermissions } from './domain/special-permissions';
export { changePermissions } from './domain/special-permissions';
export type { Account, NewAccount } from './domain/account';
export { grantKey, issueKey, openAccount, regenerateKey, setPassword, userAggregate } from './domain/account';
export { ensureStrong } from './domain/password';
export { reactivate } from './domain/departure';
export { isOpenlyAddressed } from './domain/address-visibility';
export { mayCreateBot, mayCreateUsers } from './domain/policies';
export { Arrivals } from './application/arrivals';
export { ApiKeys } from './application/api-keys';
export { KeyEndings } from './application/key-endings';
export { CreateBot, DeactivateBot } from './application/bots';
export { DeactivateUser } from './application/deactivate-user';
export { LogIn } from './application/log-in';
export { stillActive } from './application/guards';
export { activeSinceSql } from './read/activity';
export { NewAccounts } from './application/new-accounts';
export { Passwords } from './application/passwords';
export { ChangeBot } from './application/change-bot';
export { ChangeOwnAvatar } from './application/change-own-avatar';
export { handOver } from './application/bot-ownership';
export { Avatars } from './application/avatars';
export { KeptAvatars } from './application/kept-avatars';
export { UpdateUser } from './application/update-user';
export { API_KEY } from './read/api-key';
export { Credentials } from './read/credentials';
export { GetUser } from './read/get-users';
export { nameKey as personKey } from './domain/names';
export type { OwnSettings } from './domain/settings';
export { OwnSettingsFacts, readSettings, settingsOf } from './read/own-settings';
export { NewestMessage } from './read/newest-message';
export type { ReadKnown, ReadSight, Sight, SightAsked } from './read/acquaintances';
export { Acquaintances } from './read/acquaintances';
export { NOW, before, sightEvent } from './feed/sight';
export { guestsPresenter } from './feed/guests.presenter';
export { botsPresenter } from './feed/bots.presenter';
export { administratorsOf, botEvent } from './feed/users.feed';
export type { ReadChannelNames } from './read/bot-channels';
export { BotChannels } from './read/bot-channels';
export { botsRegisterBlock, usersRegisterBlock } from './read/register';
export { unknownUser } from './read/unknown-user';
export type { AddressesAt } from './read/addresses-at';
export { readAddressesAt } from './read/addresses-at';
export { avatarUrlFor } from './read/avatar';
export { AddressBook } from './read/address-book';
export type { Viewer } from './read/viewer';
export { Viewers, emailFor, realEmail, viewerOf } from './read/viewer';
export { UserFacts } from './read/user-facts';
export type { UserRow } from './read/user-row';
export { departedAmong, readAllUsers, readUsers } from './read/user-row';
