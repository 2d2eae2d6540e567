import type { EventDescription } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';
import { counted, describeEvent, possessive, thing } from '@annals/kernel';
import { ApiKeyIssued, ApiKeysRevoked, PasswordSet } from '../domain/events';
import type { SessionEnding } from '../domain/sign-in/session-events';
import { RecoveryCodeUsed, TwoFactorsBegan, TwoFactorsEnded } from '../domain/sign-in/two-factor-events';
import {
  EmailChangeAsked,
  EmailChangeConfirmed,
  PasswordReset,
  PasswordResetAsked,
} from '../domain/sign-in/mailed-link-events';
import { SessionBegan, SessionsEnded } from '../domain/sign-in/session-events';
import { DEACTIVATING_COMMANDS, DIRECTORY_ENDING_COMMANDS } from './account-commands';

const passwordSet = describeEvent(PasswordSet, {
  meaning: 'The password of an account was set. Its hash is stored beside the log.',
  commands: [
    'CreateUser',
    'ChangeOwnSettings',
    'ResetPassword',
    'Join',
    'CreateScimUser',
    'ChangeScimUser',
    'importUsers',
    'setUpOrganization',
  ],
  sentence: (event) => ['set ', ...possessive(event, event.data.userId), ' password'],
});

/** By these, a program gets a key. The keys over the limit are revoked. */
const LOGINS_WITH_A_KEY = ['LogIn', 'FinishSignOn', 'JoinBySignOn', 'LogInByToken', 'DevLogIn'];

const issueKey = describeEvent(ApiKeyIssued, {
  meaning: 'An API key of an account is valid from then on. Its digest is stored beside the log.',
  commands: [
    ...LOGINS_WITH_A_KEY,
    'RegenerateKey',
    'CreateBot',
    'IssueBotKey',
    'RenewBotKey',
    'setUpOrganization',
    'issueKeyFor',
  ],
  sentence: ({ actorId, data: { userId, keyId } }) =>
    actorId === userId ? [`got API key ${keyId}`] : [`issued API key ${keyId} to `, thing.user(userId)],
});

const keysRevoked = describeEvent(ApiKeysRevoked, {
  meaning: 'API keys of an account are not valid any more.',
  commands: [
    'RegenerateKey',
    'IssueBotKey',
    'RenewBotKey',
    ...LOGINS_WITH_A_KEY,
    'EndApiKey',
    'ResetPassword',
    'DeactivateUser',
    ...DIRECTORY_ENDING_COMMANDS,
    'issueKeyFor',
  ],
  sentence: (event) => {
    const { userId, keyIds } = event.data;
    const ids = keyIds.length > 5 ? counted(keyIds.length, 'API key') : `API key ${keyIds.join(', ')}`;
    return [`revoked ${ids} of `, event.actorId === userId ? 'their account' : thing.user(userId)];
  },
});

/** By these, a person logs in with a browser. Sessions over the limit end. */
const BROWSER_LOGINS = ['LogInBrowser', 'EnterLoginCode', 'Join', 'FinishSignOn', 'JoinBySignOn', 'DesktopLogIn'];

const sessionBegan = describeEvent(SessionBegan, {
  meaning: 'A person logged in with a browser. The digest of the cookie is stored beside the log.',
  commands: BROWSER_LOGINS,
  sentence: (event) => {
    const { userId, sessionId, method } = event.data;
    return [`began session ${sessionId} of `, ...account(event, userId), ` (${method})`];
  },
});

const REASONS: Readonly<Record<SessionEnding, string>> = {
  logout: 'logged out',
  ended: 'ended from another login',
  password: 'another password',
  keys: 'another API key',
  deactivation: 'deactivated',
  expired: 'expired',
  limit: 'too many sessions',
};

const sessionsEnded = describeEvent(SessionsEnded, {
  meaning: 'Sessions of browsers of an account are not valid any more.',
  commands: [
    'EndSession',
    ...BROWSER_LOGINS,
    'ChangeOwnSettings',
    'RegenerateKey',
    'ResetPassword',
    ...DEACTIVATING_COMMANDS,
  ],
  sentence: (event) => {
    const { userId, sessionIds, because } = event.data;
    const ids = sessionIds.length > 5 ? counted(sessionIds.length, 'session') : `session ${sessionIds.join(', ')}`;
    return [`ended ${ids} of `, ...account(event, userId), ` (${REASONS[because]})`];
  },
});

const account = ({ actorId }: { readonly actorId: UserId | null }, userId: UserId) => [
  actorId === userId ? 'their account' : thing.user(userId),
];

const resetAsked = describeEvent(PasswordResetAsked, {
  meaning:
    'Somebody who named the address of an account got a link to choose another password, by mail to that address.',
  commands: ['AskForReset'],
  sentence: ({ data: { userId } }) => ['sent a link to choose another password to ', thing.user(userId)],
});

const reset = describeEvent(PasswordReset, {
  meaning: 'Somebody chose another password with the link of a mail. The link is of no use any more.',
  commands: ['ResetPassword'],
  sentence: ({ data: { userId } }) => ['used the link to choose another password of ', thing.user(userId)],
});

const emailAsked = describeEvent(EmailChangeAsked, {
  meaning: 'A person wants another email, which gets a mail with a link. The email is sealed.',
  commands: ['ChangeOwnSettings'],
  sentence: (event) => ['asked for another email address of ', ...account(event, event.data.userId)],
});

const emailConfirmed = describeEvent(EmailChangeConfirmed, {
  meaning: 'Somebody who reads a new email confirmed it with the link of a mail.',
  commands: ['ConfirmEmail'],
  sentence: (event) => ['confirmed the new email address of ', ...account(event, event.data.userId)],
});

const factorsBegan = describeEvent(TwoFactorsBegan, {
  meaning:
    'Logins with the password of an account need a code of an app too. The secret of the app is stored beside the log.',
  commands: ['BeginTwoFactors'],
  sentence: (event) => ['made a code necessary for logins to ', ...account(event, event.data.userId)],
});

const factorsEnded = describeEvent(TwoFactorsEnded, {
  meaning: 'The password of an account is enough for logins again.',
  commands: ['EndTwoFactors', 'EndTwoFactorsOf', 'annals people'],
  sentence: (event) => ['made a code unnecessary for logins to ', ...account(event, event.data.userId)],
});

const recoveryCodeUsed = describeEvent(RecoveryCodeUsed, {
  meaning: 'Somebody used a recovery code of an account instead of the app. The code is of no use any more.',
  commands: ['EnterLoginCode', 'EndTwoFactors'],
  sentence: (event) => ['used a recovery code of ', ...account(event, event.data.userId)],
});

export const signInDescriptions: readonly EventDescription[] = [
  passwordSet,
  issueKey,
  keysRevoked,
  sessionBegan,
  sessionsEnded,
  resetAsked,
  reset,
  emailAsked,
  emailConfirmed,
  factorsBegan,
  factorsEnded,
  recoveryCodeUsed,
];
