export { OrganizationDeletions } from './jobs/organization-deletions';
export { RealmJobsModule } from './jobs/realm-jobs.module';
export { RealmModule } from './realm.module';
export { realmContext } from './realm.context';
export type { ServerSignIn, SignInButton } from './server-sign-in';
export type { AuthenticationMethod } from './domain/authentication/authentication-events';
export { AuthenticationMethodsChosen } from './domain/authentication/authentication-events';
export { AuthenticationMethods, allowsPasswords } from './read/authentication/authentication-methods';
export { ServerFeatures } from './server-features';
export { ServerAddress, SingleOrganizationAddress, mailDomain } from './server-address';
export type { ReportType } from './domain/report-types';
export { REPORT_TYPES } from './domain/report-types';
export { RealmCreated, RealmSettingsChanged } from './domain/events';
export type { Realm } from './domain/realm';
export { checkedName, createRealm, foldRealm, forgetChannel, realmAggregate } from './domain/realm';
export { AUDIT_SETTINGS, mayAudit, mayAuditContent } from './domain/audit-rights';
export { allowedGroupValue } from './domain/group-values';
export type { GroupRule } from './domain/setting-kinds';
export type { RealmSettings } from './domain/settings';
export { GROUP_SETTING_NAMES, TEXTS, settingOf, settingsSchema } from './domain/settings';
export type { SettingName } from './domain/settings';
export type { SystemGroups } from './domain/system-groups';
export { ChangeSettings } from './application/change-settings';
export { imageDecoder } from './application/image-decoder';
export type { ProcessedAvatar } from './application/image-processing';
export { ImageProcessor } from './application/image-processing';
export type { PictureOwner } from './application/picture-turns';
export { PictureStore } from './application/picture-store';
export { organization } from './application/organization';
export { EmojiStore } from './application/emoji-store';
export { SettingReferences } from './application/setting-references';
export type { ChangedAuditRight } from './application/setting-notices';
export { SettingNotices } from './application/setting-notices';
export { EmojiAdded, EmojiDeactivated } from './domain/emoji-events';
export type { ThumbnailFormat } from './domain/thumbnail-format';
export { ANIMATED_THUMBNAIL, STILL_THUMBNAIL } from './domain/thumbnail-format';
export { isCut } from './domain/picture';
export { emojiAggregate } from './domain/emoji';
export { allowedDomains } from './application/domains';
export { withinDomains } from './domain/domains';
export type { EmojiRow } from './read/custom-emoji';
export { emojiUrl } from './read/custom-emoji';
export { CustomEmojiFacts } from './read/custom-emoji-facts';
export { LINKIFIERS } from './domain/linkifiers/linkifiers';
export { linkifierSetAt, readLinkifierSet } from './read/linkifiers/linkifiers';
export { LinkifierFacts } from './read/linkifiers/linkifier-facts';
export type { RealmRow } from './read/realm-row';
export { readRealm, readRealmOfTexts } from './read/realm-row';
export type { RestrictedAt } from './read/restriction';
export { RESTRICTIONS, isRestricted, readRestrictedAt } from './read/restriction';
export type { AccountThen, AsOf, AsOfAsked, AuditedReading } from './read/past/as-of';
export { AsOfQuestions, AuditedReadings, PastActors } from './read/past/as-of';
export { RealmFacts } from './read/realm-facts';
export { findRealm, findRealmInLog, subdomainOf } from './read/organization/realm-by-host';
export { OrganizationFacts } from './read/organization/organization-facts';
export type { OrganizationRow } from './read/organization/organization-row';
export { isActiveSql, isThereSql, realmsWithDue } from './read/organization/organization-row';
export { smallerLimit } from './domain/organization/limits';
export type { OrganizationLimits } from './domain/organization/limits';
export { PeopleQuota } from './application/organization/people-quota';
export { OrganizationDeactivated, SubdomainChanged } from './domain/organization/organization-events';
export { ensureSubdomain, normalHost } from './domain/organization/addresses';
export type { Renaming } from './application/organization/operate';
export {
  addHost,
  claimHost,
  claimSubdomain,
  deactivateOrganization,
  deleteOrganization,
  limitOrganization,
  reactivateOrganization,
  removeHost,
  renameOrganization,
} from './application/organization/operate';
export { limitsOf } from './application/organization/limits-of';
export type { Reactivation } from './domain/organization/standing';
export { ensureUsable, runAsVisitor } from './application/organization/visitors';
export { VerifierKeys } from './verifier-keys';
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
