import type { BotType, FactOf, Id, Role } from '@annals/kernel/domain';
import { ROLES, aboutRealm, channelId, defineEvent, nullable, t, userId, words } from '@annals/kernel/domain';
import { BOT_PROGRAMS } from './account/bot-programs';
import { WEBHOOK_FORMATS } from './account/webhook-formats';
import type { SessionBegan, SessionsEnded } from './sign-in/session-events';
import type { OwnSettings } from './settings/settings';
import { openSettingsSchema } from './settings/settings';

/** Names one API key of an account. The key itself is stored nowhere: only its owner has it. */
export type KeyId = Id<'api-key'>;

const role = t.Unsafe<Role>(t.Union(ROLES.map((one) => t.Literal(one))));
const botType = t.Unsafe<BotType>(t.Integer({ minimum: 1, maximum: 4 }));
const keyId = t.Unsafe<KeyId>(t.Integer({ minimum: 1 }));

const aboutUser = ({ userId: user }: { userId: number }) => [['user', user] as const];
/** Contains text of the person, which is erased with the person. */
const ofUser = ({ userId: user }: { userId: number }) => [['user', user] as const, ['person', user] as const];
const aboutBot = ({ userId: user, botId }: { userId: number; botId: number }) =>
  [
    ['user', user],
    ['user', botId],
  ] as const;

/** Stream `user-{id}`: an account of a person, a bot or the system itself. */
export const AccountCreated = defineEvent('users.AccountCreated', {
  data: t.Object({
    userId,
    role,
    /** Null for people. */
    botType: nullable(botType),
    botOwnerId: nullable(userId),
    /** Belongs to the server rather than to the organization: it is in no list of users and in no group. */
    isSystemBot: t.Boolean(),
    /** Created by another user. Its owner counts as joined after the first login. */
    awaitsFirstLogin: t.Boolean(),
    /** Imported from another server, for a user who may never log in. */
    isImported: t.Optional(t.Literal(true)),
    canCreateUsers: t.Boolean(),
    canChangeUserEmails: t.Boolean(),
    /** The name of the generated picture that it begins with. Left out: the picture of the Gravatar service. */
    avatarFile: t.Optional(t.String({ pattern: '^0{16}[0-9a-f]{16}$' })),
  }),
  sealed: t.Object({ email: t.String(), fullName: t.String() }),
  subjects: ({ userId: user, botOwnerId }) => [
    ...ofUser({ userId: user }),
    ...(botOwnerId === null ? [] : [['user', botOwnerId] as const]),
  ],
});
export type AccountCreated = FactOf<typeof AccountCreated>;

/** A person got a bot. It is in the stream of the owner, so that a concurrent deactivation conflicts. */
export const BotAcquired = defineEvent('users.BotAcquired', {
  data: t.Object({ userId, botId: userId }),
  subjects: aboutBot,
});
export type BotAcquired = FactOf<typeof BotAcquired>;

/**
 * A person's bot got another owner. It is in the stream of the former owner, so that it is not deactivated with them.
 */
export const BotReleased = defineEvent('users.BotReleased', {
  data: t.Object({ userId, botId: userId }),
  subjects: aboutBot,
});
export type BotReleased = FactOf<typeof BotReleased>;

/** A bot belongs to another person from now on. */
export const BotOwnerChanged = defineEvent('users.BotOwnerChanged', {
  data: t.Object({
    /** The bot. */
    userId,
    /** Null where it had no owner. */
    from: nullable(userId),
    to: userId,
    isActive: t.Boolean(),
  }),
  subjects: ({ userId: bot, from, to }) => [bot, from, to].flatMap((id) => (id === null ? [] : [['user', id]])),
});
export type BotOwnerChanged = FactOf<typeof BotOwnerChanged>;

/** The default channels of a bot changed. The event has only the changed ones. */
export const BotDefaultsChanged = defineEvent('users.BotDefaultsChanged', {
  data: t.Object({
    /** The bot. */
    userId,
    botOwnerId: nullable(userId),
    isActive: t.Boolean(),
    defaults: t.Object({
      sendingChannel: t.Optional(nullable(channelId)),
      eventsChannel: t.Optional(nullable(channelId)),
      allPublicChannels: t.Optional(t.Boolean()),
    }),
  }),
  subjects: aboutUser,
});
export type BotDefaultsChanged = FactOf<typeof BotDefaultsChanged>;

/** Stream `bot-program-{id}`: the server itself answers what users ask this bot, with one of its programs. */
export const BotProgramChosen = defineEvent('users.BotProgramChosen', {
  data: t.Object({
    /** The bot. */
    userId,
    program: words(...BOT_PROGRAMS),
  }),
  subjects: aboutUser,
});
export type BotProgramChosen = FactOf<typeof BotProgramChosen>;

/**
 * Stream `bot-webhook-{id}`: what users ask this bot is sent to a URL from now on. The token that the requests have is stored
 * beside the log under the id of the bot.
 */
export const BotWebhookChanged = defineEvent('users.BotWebhookChanged', {
  data: t.Object({
    /** The bot. */
    userId,
    botOwnerId: nullable(userId),
    isActive: t.Boolean(),
    format: words(...WEBHOOK_FORMATS),
  }),
  /** Empty if the bot has none yet. */
  sealed: t.Object({ url: t.String() }),
  subjects: ofUser,
});
export type BotWebhookChanged = FactOf<typeof BotWebhookChanged>;

/** The account has another picture. */
export const AvatarChanged = defineEvent('users.AvatarChanged', {
  data: t.Object({
    userId,
    /** The name of the files of the picture, or of a generated one, which has no files. Null for that of the Gravatar service. */
    file: nullable(t.String({ pattern: '^[0-9a-f]{32}$' })),
    /** Counts the changes, so that clients fetch the picture again. */
    version: t.Integer({ minimum: 2 }),
  }),
  subjects: aboutUser,
});
export type AvatarChanged = FactOf<typeof AvatarChanged>;

export const FullNameChanged = defineEvent('users.FullNameChanged', {
  data: t.Object({ userId }),
  sealed: t.Object({ fullName: t.String() }),
  subjects: ofUser,
});
export type FullNameChanged = FactOf<typeof FullNameChanged>;

/** The account has another real email. */
export const AddressChanged = defineEvent('users.AddressChanged', {
  data: t.Object({ userId }),
  sealed: t.Object({ email: t.String() }),
  subjects: ({ userId: user }) => [
    ['user', user],
    ['person', user],
  ],
});
export type AddressChanged = FactOf<typeof AddressChanged>;

/** An operator gave or removed special permissions, which no role has. */
export const SpecialPermissionsChanged = defineEvent('users.SpecialPermissionsChanged', {
  data: t.Object({ userId, canCreateUsers: t.Boolean(), canChangeUserEmails: t.Boolean() }),
  subjects: aboutUser,
});
export type SpecialPermissionsChanged = FactOf<typeof SpecialPermissionsChanged>;

export const RoleChanged = defineEvent('users.RoleChanged', {
  data: t.Object({ userId, from: role, to: role, isActive: t.Boolean() }),
  subjects: aboutUser,
});
export type RoleChanged = FactOf<typeof RoleChanged>;

/** The account is deactivated. Its messages and subscriptions remain. */
export const Deactivated = defineEvent('users.Deactivated', {
  data: t.Object({ userId, role, botOwnerId: nullable(userId) }),
  subjects: aboutUser,
});
export type Deactivated = FactOf<typeof Deactivated>;

/** A deactivated account can be used again, with everything that it had and belonged to. */
export const Reactivated = defineEvent('users.Reactivated', {
  data: t.Object({ userId, role, botOwnerId: nullable(userId) }),
  subjects: aboutUser,
});
export type Reactivated = FactOf<typeof Reactivated>;

/**
 * The profile is deleted: name, email and profile are no longer shown, and are erased later. The account can never be
 * used again.
 */
export const ProfileDeleted = defineEvent('users.ProfileDeleted', {
  data: t.Object({ userId }),
  subjects: aboutUser,
  erases: ({ userId: user }) => [['person', user]],
});
export type ProfileDeleted = FactOf<typeof ProfileDeleted>;

/** The messages of a deactivated account in places of these kinds were ordered to be deleted. A worker deletes them. */
export const MessagesDisowned = defineEvent('users.MessagesDisowned', {
  data: t.Object({
    userId,
    inPublicChannels: t.Boolean(),
    inPrivateChannels: t.Boolean(),
    direct: t.Boolean(),
  }),
  subjects: aboutUser,
});
export type MessagesDisowned = FactOf<typeof MessagesDisowned>;

/** The account's password was set. Its hash is stored beside the log under the account's id. */
export const PasswordSet = defineEvent('users.PasswordSet', { data: t.Object({ userId }), subjects: aboutUser });
export type PasswordSet = FactOf<typeof PasswordSet>;

/** A new key is valid from now on. Its digest is stored beside the log under the key's id. */
export const ApiKeyIssued = defineEvent('users.ApiKeyIssued', {
  data: t.Object({ userId, keyId }),
  subjects: aboutUser,
});
export type ApiKeyIssued = FactOf<typeof ApiKeyIssued>;

export const ApiKeysRevoked = defineEvent('users.ApiKeysRevoked', {
  data: t.Object({ userId, keyIds: t.Array(keyId, { minItems: 1 }) }),
  subjects: aboutUser,
});
export type ApiKeysRevoked = FactOf<typeof ApiKeysRevoked>;

/** The account was used for the first time: its user joined now. */
export const FirstLoggedIn = defineEvent('users.FirstLoggedIn', {
  data: t.Object({
    userId,
    /** The account had been imported from another server. */
    wasImported: t.Optional(t.Literal(true)),
  }),
  subjects: aboutUser,
});
export type FirstLoggedIn = FactOf<typeof FirstLoggedIn>;

/** Stream `own-settings-{id}`: a user changed settings. The event has only the changed ones. */
export const OwnSettingsChanged = defineEvent('users.OwnSettingsChanged', {
  v: 2,
  data: t.Object({
    userId,
    settings: openSettingsSchema,
    previous: openSettingsSchema,
    /** Whether the time zone is among the changes, which has to be known after it was erased. */
    timezone: t.Optional(t.Literal(true)),
  }),
  sealed: t.Object({ timezone: t.Optional(t.Object({ from: t.String(), to: t.String() })) }),
  subjects: ({ userId: user, timezone }) => (timezone ? ofUser({ userId: user }) : aboutUser({ userId: user })),
  upcasters: {
    /** The time zone was among the others, not sealed. */
    1: ({ data }) => {
      const { settings, previous, ...rest } = data as Readonly<Record<'settings' | 'previous', Partial<OwnSettings>>>;
      const { timezone: to, ...open } = settings;
      const { timezone: from, ...before } = previous;
      return {
        data: { ...rest, settings: open, previous: before, ...(to !== undefined && { timezone: true }) },
        sealed: to === undefined ? {} : { timezone: { from: from ?? '', to } },
      };
    },
  },
});
export type OwnSettingsChanged = FactOf<typeof OwnSettingsChanged>;

/** Stream `default-settings-realm`: the settings of users created from now on. Existing users keep theirs. */
export const DefaultSettingsChanged = defineEvent('users.DefaultSettingsChanged', {
  data: t.Object({ settings: openSettingsSchema, previous: openSettingsSchema }),
  subjects: aboutRealm,
});
export type DefaultSettingsChanged = FactOf<typeof DefaultSettingsChanged>;

export type AccountEvent =
  | AccountCreated
  | BotAcquired
  | BotReleased
  | BotOwnerChanged
  | BotDefaultsChanged
  | AvatarChanged
  | FullNameChanged
  | AddressChanged
  | SpecialPermissionsChanged
  | RoleChanged
  | Deactivated
  | Reactivated
  | ProfileDeleted
  | MessagesDisowned
  | PasswordSet
  | ApiKeyIssued
  | ApiKeysRevoked
  | SessionBegan
  | SessionsEnded
  | FirstLoggedIn;

export type { DeactivationExplained } from './deactivation-events';
