import { defineContext } from '@annals/kernel';
import { realmPresenter, realmRegisterBlock } from '@annals/realm';
import { accountDescriptions } from './audit/account.audit';
import { botDescriptions } from './audit/bot.audit';
import { personalListDescriptions } from './audit/personal-lists.audit';
import { profileDescriptions } from './audit/profile.audit';
import { settingsDescriptions } from './audit/settings.audit';
import { signInDescriptions } from './audit/sign-in.audit';
import { emailFree, lastOwner, nameFree, peopleRoom, stillActive } from './application/guards';
import {
  AccountCreated,
  AddressChanged,
  ApiKeyIssued,
  ApiKeysRevoked,
  AvatarChanged,
  BotAcquired,
  BotDefaultsChanged,
  BotOwnerChanged,
  BotProgramChosen,
  BotReleased,
  BotWebhookChanged,
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
import { SessionBegan, SessionsEnded } from './domain/sign-in/session-events';
import {
  EmailChangeAsked,
  EmailChangeConfirmed,
  PasswordReset,
  PasswordResetAsked,
} from './domain/sign-in/mailed-link-events';
import { RecoveryCodeUsed, TwoFactorsBegan, TwoFactorsEnded } from './domain/sign-in/two-factor-events';
import { DeactivationExplained } from './domain/deactivation-events';
import { AVATARS } from './application/profile/avatar-store';
import { AlertWordsAdded, AlertWordsRemoved } from './domain/alert-words/alert-word-events';
import { UserMuted, UserUnmuted } from './domain/muting/muting-events';
import { PROFILE_FIELD_EVENTS, ProfileValueCleared, ProfileValueSet } from './domain/profile/profile-events';
import { exportConsentPresenter } from './feed/export-consent.presenter';
import { alertWordsFeed, alertWordsPresenter } from './feed/alert-words/alert-words.feed';
import { mutedUsersPresenter, mutingFeed } from './feed/muting/muting.feed';
import { profileFieldsPresenter, profilesFeed } from './feed/profiles.feed';
import { botWebhooksFeed } from './feed/bot-webhooks.feed';
import { usersFeed } from './feed/users.feed';
import { defaultSettingsPresenter, ownSettingsPresenter } from './feed/users.presenter';
import { defaultSettingsView, ownSettingsView } from './read/settings/own-settings.view';
import { embeddedBotsRegisterBlock } from './read/bot/bot-programs';
import { botProgramsView } from './read/bot/bot-programs.view';
import { botWebhooksView } from './read/bot/bot-webhooks.view';
import { ownSettingsRegisterBlock } from './read/settings/own-settings-block';
import { alertWordsRegisterBlock } from './read/alert-words/alert-words';
import { alertWordsView } from './read/alert-words/alert-words.view';
import { mutedUsersRegisterBlock } from './read/muting/muted-users';
import { mutedUsersView } from './read/muting/muted-users.view';
import { profileFieldsRegisterBlock } from './read/profile/profile-fields';
import { profilesView } from './read/profile/profiles.view';
import { departedAmong } from './read/account/user-row';
import { issuedKeysView } from './read/sign-in/issued-keys.view';
import { sessionsView } from './read/sign-in/sessions.view';
import { usersView } from './read/account/users.view';
import { usersMigrations } from './schema';

/** Declares the organization's own block too, because that leaves deactivated users out. */
export const usersContext = defineContext({
  name: 'users',
  events: [
    AccountCreated,
    BotAcquired,
    BotReleased,
    BotOwnerChanged,
    BotDefaultsChanged,
    BotProgramChosen,
    BotWebhookChanged,
    AvatarChanged,
    FullNameChanged,
    AddressChanged,
    SpecialPermissionsChanged,
    RoleChanged,
    Deactivated,
    DeactivationExplained,
    Reactivated,
    ProfileDeleted,
    MessagesDisowned,
    PasswordSet,
    ApiKeyIssued,
    ApiKeysRevoked,
    SessionBegan,
    SessionsEnded,
    PasswordResetAsked,
    PasswordReset,
    TwoFactorsBegan,
    TwoFactorsEnded,
    RecoveryCodeUsed,
    EmailChangeAsked,
    EmailChangeConfirmed,
    FirstLoggedIn,
    OwnSettingsChanged,
    DefaultSettingsChanged,
    ...PROFILE_FIELD_EVENTS,
    ProfileValueSet,
    ProfileValueCleared,
    UserMuted,
    UserUnmuted,
    AlertWordsAdded,
    AlertWordsRemoved,
  ],
  guards: [emailFree, nameFree, lastOwner, stillActive, peopleRoom],
  descriptions: [
    ...accountDescriptions,
    ...botDescriptions,
    ...personalListDescriptions,
    ...profileDescriptions,
    ...settingsDescriptions,
    ...signInDescriptions,
  ],
  projections: [
    usersView,
    ownSettingsView,
    defaultSettingsView,
    profilesView,
    mutedUsersView,
    alertWordsView,
    botProgramsView,
    botWebhooksView,
    sessionsView,
    issuedKeysView,
  ],
  bytes: [AVATARS],
  migrations: usersMigrations,
  transient: ['password_reset_requests'],
  unhandled: {
    'users.PasswordResetAsked': 'the link is a state of its stream only',
    'users.PasswordReset': 'the password itself is a secret; mail learns from it that mail arrives',
    'users.EmailChangeAsked': 'the link is a state of its stream only',
    'users.EmailChangeConfirmed': 'the email changes by an event of its own',
    'users.TwoFactorsBegan': 'logins read its stream',
    'users.TwoFactorsEnded': 'logins read its stream',
    'users.RecoveryCodeUsed': 'logins read its stream',
    'users.DeactivationExplained': 'a mail has its text, and nothing else depends on it',
  },
  feeds: [usersFeed, botWebhooksFeed, profilesFeed, mutingFeed, alertWordsFeed],
  presenters: [
    ownSettingsPresenter,
    defaultSettingsPresenter,
    exportConsentPresenter,
    profileFieldsPresenter,
    mutedUsersPresenter,
    alertWordsPresenter,
    realmPresenter(departedAmong),
  ],
  registerBlocks: [
    ownSettingsRegisterBlock,
    profileFieldsRegisterBlock,
    mutedUsersRegisterBlock,
    alertWordsRegisterBlock,
    embeddedBotsRegisterBlock,
    realmRegisterBlock(departedAmong),
  ],
});
