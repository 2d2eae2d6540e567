import type { EventDescription, Naming } from '@annals/kernel';
import { describeEvent, possessive, quoted, thing, wordsOf } from '@annals/kernel';
import type { Recorded, UserId } from '@annals/kernel/domain';
import { roleName } from '@annals/kernel/domain';
import { ERASED_NAME } from '../domain/account/account';
import { DeactivationExplained } from '../domain/deactivation-events';
import {
  AccountCreated,
  AddressChanged,
  AvatarChanged,
  Deactivated,
  FirstLoggedIn,
  FullNameChanged,
  MessagesDisowned,
  ProfileDeleted,
  Reactivated,
  RoleChanged,
  SpecialPermissionsChanged,
} from '../domain/events';
import { isGenerated } from '../domain/profile/avatar';
import { DEACTIVATING_COMMANDS, OPENING_COMMANDS, REACTIVATING_COMMANDS } from './account-commands';

const fullName = (event: { readonly sealed: { readonly fullName: string } | 'erased' }) =>
  wordsOf(event, (words) => words.fullName);
const named = (userId: UserId, naming: Omit<Naming, 'thing'>): Naming[] => [{ thing: thing.user(userId), ...naming }];
/** "their account" or "the account of Ada". */
const accountOf = ({ actorId }: Pick<Recorded, 'actorId'>, user: UserId) =>
  actorId === user ? ['their account'] : ['the account of ', thing.user(user)];

const created = describeEvent(AccountCreated, {
  meaning: 'An account of a person, a bot or the server itself was created.',
  commands: [
    ...OPENING_COMMANDS,
    'importUsers',
    'setUpOrganization',
    'CreateBot',
    'Welcomes',
    'TryOutWelcome',
    'MailReceiver',
  ],
  sentence: ({ data: { userId, role, botType, isSystemBot, isImported } }) => {
    if (isSystemBot) return ['created the system bot ', thing.user(userId)];
    if (botType !== null) return ['created the bot ', thing.user(userId)];
    return [isImported ? 'imported' : 'created', ' the account of ', thing.user(userId), ` as ${roleName(role)}`];
  },
  begins: (event) => [
    { property: 'full_name', after: fullName(event) },
    { property: 'email', after: wordsOf(event, ({ email }) => email) },
    { property: 'role', after: event.data.role },
    { property: 'can_create_users', after: event.data.canCreateUsers },
    { property: 'can_change_user_emails', after: event.data.canChangeUserEmails },
    { property: 'is_active', after: true },
    ...(event.data.avatarFile === undefined ? [] : [{ property: 'avatar_file', after: event.data.avatarFile }]),
  ],
  names: (event) => {
    const { userId, role, botType, isSystemBot } = event.data;
    return named(userId, { name: fullName(event) ?? ERASED_NAME, role, isBot: botType !== null || isSystemBot });
  },
});

const renamed = describeEvent(FullNameChanged, {
  meaning: 'The name of an account changed.',
  commands: ['UpdateUser', 'ChangeOwnSettings', 'ChangeBot', 'CreateScimUser', 'ChangeScimUser', 'DirectorySync'],
  sentence: ({ actorId, data: { userId } }) => [
    ...(actorId === userId ? ['changed their name'] : ['changed the name of ', thing.user(userId, { before: true })]),
    ' to ',
    thing.user(userId),
  ],
  changes: (event) => [{ property: 'full_name', after: fullName(event) }],
  names: (event) => named(event.data.userId, { name: fullName(event) ?? ERASED_NAME }),
});

const emailChanged = describeEvent(AddressChanged, {
  meaning: 'The real email address of an account changed.',
  commands: ['UpdateUser', 'ConfirmEmail', 'ChangeBot', 'CreateScimUser', 'ChangeScimUser'],
  sentence: (event) => {
    const email = wordsOf(event, (words) => words.email);
    return ['changed ', ...possessive(event, event.data.userId), ' email to ', quoted(email, 'another address')];
  },
  changes: (event) => [{ property: 'email', after: wordsOf(event, ({ email }) => email), isWords: true }],
});

const avatarChanged = describeEvent(AvatarChanged, {
  meaning: 'The picture of an account changed.',
  commands: ['ChangeOwnAvatar', 'ChangeBot', 'CreateBot', 'DeactivateUser', 'DirectoryJoining', 'DirectorySync'],
  sentence: (event) => {
    const { userId, file } = event.data;
    return file === null || isGenerated(file)
      ? ['removed ', ...possessive(event, userId), ' picture']
      : ['gave ', ...(event.actorId === userId ? ['themselves'] : [thing.user(userId)]), ' another picture'];
  },
  changes: ({ data: { file } }) => [{ property: 'avatar_file', after: file }],
});

const permissionsChanged = describeEvent(SpecialPermissionsChanged, {
  meaning: 'An operator gave special permissions, which no role has, or took them.',
  commands: ['grantTo'],
  sentence: ({ data: { userId, canCreateUsers, canChangeUserEmails } }) => [
    'changed the special permissions of ',
    thing.user(userId),
    `, who ${canCreateUsers ? 'can' : 'cannot'} create users`,
    ` and ${canChangeUserEmails ? 'can' : 'cannot'} change emails of users`,
  ],
  changes: ({ data }) => [
    { property: 'can_create_users', after: data.canCreateUsers },
    { property: 'can_change_user_emails', after: data.canChangeUserEmails },
  ],
});

const roleChanged = describeEvent(RoleChanged, {
  meaning: 'An account has another role.',
  commands: ['UpdateUser', 'ChangeBot', 'CreateScimUser', 'ChangeScimUser', 'DirectorySync'],
  sentence: (event) => {
    const { userId, from, to } = event.data;
    return ['changed ', ...possessive(event, userId), ` role from ${roleName(from)} to ${roleName(to)}`];
  },
  changes: ({ data: { from, to } }) => [{ property: 'role', before: from, after: to }],
  names: ({ data: { userId, to } }) => named(userId, { role: to }),
});

const deactivated = describeEvent(Deactivated, {
  meaning: 'An account was deactivated. Its messages and subscriptions remain.',
  commands: [...DEACTIVATING_COMMANDS, 'DeactivateBot', 'CreateScimUser'],
  sentence: (event) => ['deactivated ', ...accountOf(event, event.data.userId)],
  changes: () => [{ property: 'is_active', before: true, after: false }],
});

const explained = describeEvent(DeactivationExplained, {
  meaning: 'An administrator wrote to the person whose account they deactivated.',
  commands: ['DeactivateUser'],
  sentence: (event) => {
    const comment = wordsOf(event, (words) => words.comment);
    const to = ['wrote to ', thing.user(event.data.userId), ' that their account is deactivated'];
    return comment === '' ? to : [...to, ': ', quoted(comment, 'a text')];
  },
});

const reactivated = describeEvent(Reactivated, {
  meaning: 'A deactivated account can be used again.',
  commands: REACTIVATING_COMMANDS,
  sentence: (event) => ['reactivated ', ...accountOf(event, event.data.userId)],
  changes: () => [{ property: 'is_active', before: false, after: true }],
});

const profileDeleted = describeEvent(ProfileDeleted, {
  meaning: 'A profile was deleted: name, email and profile are no longer shown, and are erased later.',
  commands: ['DeactivateUser'],
  sentence: (event) => {
    const { userId } = event.data;
    return event.actorId === userId
      ? ['deleted their profile']
      : ['deleted the profile of ', thing.user(userId, { before: true })];
  },
  names: ({ data: { userId } }) => named(userId, { name: ERASED_NAME }),
});

const KINDS = [
  ['inPublicChannels', 'in public channels'],
  ['inPrivateChannels', 'in private channels'],
  ['direct', 'in direct conversations'],
] as const;

const disowned = describeEvent(MessagesDisowned, {
  meaning: 'Messages of a deactivated account are to be deleted. A worker deletes them.',
  commands: ['DeactivateUser'],
  sentence: (event) => [
    'had ',
    ...possessive(event, event.data.userId),
    ' messages ',
    KINDS.flatMap(([kind, text]) => (event.data[kind] ? [text] : [])).join(' and '),
    ' deleted',
  ],
});

const joined = describeEvent(FirstLoggedIn, {
  meaning: 'An account was used for the first time: its user joined.',
  commands: [
    'LogIn',
    'LogInBrowser',
    'EnterLoginCode',
    'FinishSignOn',
    'JoinBySignOn',
    'LogInByToken',
    'DevLogIn',
    'DesktopLogIn',
    'FirstLogins',
  ],
  sentence: (event) =>
    event.actorId === event.data.userId
      ? ['logged in for the first time']
      : ['noted that ', thing.user(event.data.userId), ' logged in for the first time'],
});

export const accountDescriptions: readonly EventDescription[] = [
  created,
  renamed,
  emailChanged,
  avatarChanged,
  permissionsChanged,
  roleChanged,
  deactivated,
  explained,
  reactivated,
  profileDeleted,
  disowned,
  joined,
];
