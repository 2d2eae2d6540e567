export { RealmModule } from './realm.module';
export { realmContext } from './realm.context';
export { ServerFeatures } from './server-features';
export { ServerAddress, mailDomain } from './server-address';
export { RealmCreated, RealmSettingsChanged } from './domain/events';
export type { Realm } from './domain/realm';
export { createRealm, forgetChannel, realmAggregate } from './domain/realm';
export { allowedGroupValue } from './domain/group-values';
export type { GroupRule, RealmSettings } from './domain/settings';
export { GROUP_SETTING_NAMES } from './domain/settings';
export type { SystemGroups } from './domain/system-groups';
export { SYSTEM_GROUPS } from './domain/system-groups';
export { ChangeSettings } from './application/change-settings';
export type { ProcessedAvatar } from './application/image-processing';
export { ImageProcessor } from './application/image-processing';
export { organization } from './application/organization';
export { EmojiStore } from './application/emoji-store';
export { SettingReferences } from './application/setting-references';
export { EmojiAdded, EmojiDeactivated } from './domain/emoji-events';
export { emojiAggregate } from './domain/emoji';
export { allowedDomains } from './application/domains';
export { withinDomains } from './domain/domains';
export type { EmojiRow } from './read/own-emoji';
export { emojiUrl } from './read/own-emoji';
export { OwnEmojiFacts } from './read/own-emoji-facts';
export type { RealmRow } from './read/realm-row';
export { readRealm } from './read/realm-row';
export type { RestrictedAt } from './read/restriction';
export { RESTRICTIONS, isRestricted, readRestrictedAt } from './read/restriction';
export { RealmFacts } from './read/realm-facts';
export { findRealm } from './read/realm-by-host';
export { realmRegisterBlock } from './read/register';
export { realmPresenter } from './feed/realm.presenter';
export { gravatarUrl } from './read/gravatar';
export {
  DEFAULT_EXTERNAL_ACCOUNTS,
  EMPTY_TOPIC_DISPLAY_NAME,
  MAX_AVATAR_MIB,
  MAX_BULK_NEW_SUBSCRIPTION_MESSAGES,
  PASSWORD,
  SERVER_VERSION,
} from './read/server-properties';
