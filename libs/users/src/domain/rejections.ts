import type { RefusalName, Rejected } from '@annals/kernel/domain';
import { rejection } from '@annals/kernel/domain';

const bad = (text: string, onPages?: RefusalName) => rejection('BAD_REQUEST', text, { onPages });

const WRONG_PASSWORD = 'Wrong password!';

/** The role that nobody would have without the account. */
type LastOfAll = { readonly is_last_owner: boolean; readonly entity: string };

export const reject = {
  noSuchUser: bad('No such user', 'noSuchUser'),
  notForOthers: bad('Cannot change this setting for other users.'),
  noTargets: bad('Either user_ids or group_ids must be provided.'),
  unknownTarget: rejection<{ id: number }>('BAD_REQUEST', ({ id }) => `Invalid user ID: ${id}`),
  tooManyTargets: rejection<{ limit: number }>(
    'BAD_REQUEST',
    ({ limit }) => `Settings of at most ${limit} users can be changed at once.`,
  ),
  cannotMuteSelf: bad('Cannot mute self'),
  alreadyMuted: bad('User already muted'),
  notMuted: bad('User is not muted'),
  tooManyMutedUsers: rejection<{ limit: number }>(
    'BAD_REQUEST',
    ({ limit }) => `You cannot mute more than ${limit} users.`,
  ),
  tooManyAlertWords: rejection<{ limit: number }>(
    'BAD_REQUEST',
    ({ limit }) => `You cannot have more than ${limit} alert words.`,
  ),
  noProfileOfBots: bad('Bots have no custom profile fields.'),
  noSuchBot: bad('No such bot'),
  noSuchKey: bad('No such API key', 'noSuchLogin'),
  noSuchSession: bad('No such session', 'noSuchLogin'),
  noSuchStorageKey: bad('Key does not exist.'),
  storageKeyTooLong: rejection<{ limit: number }>(
    'BAD_REQUEST',
    ({ limit }) => `Key is too long (limit: ${limit} characters)`,
  ),
  storageFull: rejection<{ excess: number; limit: number; what: string }>(
    'BAD_REQUEST',
    ({ excess, limit, what }) => `Request exceeds storage limit by ${excess} ${what}. The limit is ${limit} ${what}.`,
  ),
  tooManyKeys: rejection<{ limit: number }>(
    'BAD_REQUEST',
    ({ limit }) => `This bot uses ${limit} API keys. Regenerate its API key, which ends all others.`,
  ),
  insufficientPermission: bad('Insufficient permission'),
  mayNotCreateUsers: bad('User not authorized to create users'),
  mayNotChangeEmails: bad('User not authorized to change user emails'),
  namesAreFixed: bad('Name changes are disabled in this organization.'),
  emailsAreFixed: bad('Email address changes are disabled in this organization.', 'fixedEmails'),
  administratorNeeded: rejection('UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator'),
  ownerNeeded: rejection('UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner', { onPages: 'ownerNeeded' }),
  lastOwner: bad('The owner permission cannot be removed from the only organization owner.'),
  lastOwnerLeaving: bad('Cannot deactivate the only organization owner'),
  lastOwnerCannotLeave: rejection<LastOfAll>(
    'CANNOT_DEACTIVATE_LAST_USER',
    'Cannot deactivate the only organization owner.',
  ),
  lastUserCannotLeave: rejection<LastOfAll>('CANNOT_DEACTIVATE_LAST_USER', 'Cannot deactivate the only user.'),
  guestAsAdministrator: bad('Guests cannot be made organization administrators'),
  isDeactivated: bad('User is deactivated'),
  isDeleted: bad('User is deleted'),
  emailTaken: bad('Email is already in use', 'takenEmail'),
  placeholderEmail: bad('Addresses like this one stand for accounts of this organization', 'placeholderEmail'),
  unusualEmail: bad('Email addresses may have Latin letters, digits and no quotes before the @', 'unusualEmail'),
  disposableEmail: bad('Disposable email addresses are not allowed in this organization', 'disposableEmail'),
  usernameTaken: bad('Username already in use.'),
  badWebhookUrl: rejection<{ parameter: string }>(
    'BAD_REQUEST',
    ({ parameter }) => `Invalid ${parameter}: Value error, Not a URL`,
  ),
  unknownWebhookFormat: bad('Invalid interface type'),
  noWebhook: bad('This bot has no outgoing webhook.'),
  unknownProgram: bad('Invalid embedded bot name.'),
  unknownIntegration: rejection<{ name: string }>('BAD_REQUEST', ({ name }) => `Invalid integration '${name}'.`),
  unknownConfiguration: bad('Invalid configuration data!'),
  badShortName: bad('Bad name or username'),
  nameTooShort: bad('Name too short!', 'shortName'),
  nameTooLong: bad('Name too long!', 'longName'),
  nameCharacters: bad('Invalid characters in name!', 'badName'),
  nameFormat: bad('Invalid format!', 'badName'),
  nameTaken: bad('Unique names required in this organization.', 'takenName'),
  noSuchNewOwner: bad('Failed to change owner, no such user'),
  newOwnerDeactivated: bad('Failed to change owner, user is deactivated'),
  newOwnerIsBot: bad("Failed to change owner, bots can't own other bots"),
  avatarChangesDisabled: bad('Avatar changes are disabled in this organization.'),
  oneAvatar: bad('You must upload exactly one avatar.'),
  avatarTooLarge: rejection<{ mib: number }>(
    'BAD_REQUEST',
    ({ mib }) => `Uploaded file is larger than the allowed limit of ${mib} MiB`,
  ),
  noSuchAvatar: rejection('BAD_REQUEST', 'There is no such picture', { notFound: true }),
  wrongPassword: bad(WRONG_PASSWORD, 'wrongPassword'),
  passwordElsewhere: bad(
    'Your password is in the directory of your organization. Change it there.',
    'passwordElsewhere',
  ),
  noPassword: bad('You log in without a password. Codes are asked for after a password only.', 'noPassword'),
  weakPassword: bad('The password is too weak.', 'weakPassword'),
  codeRequired: rejection(
    'TWO_FACTOR_CODE_REQUIRED',
    'This account needs a code too. Enter your password, followed by the six digits of your authentication app.',
  ),
  wrongCode: rejection('AUTHENTICATION_FAILED', 'This code is wrong, or was used already.', { onPages: 'wrongCode' }),
  tooManyCodes: rejection<{ 'retry-after': number }>('RATE_LIMIT_HIT', 'Too many codes were tried for this account.', {
    onPages: 'tooManyAttempts',
  }),
  twoFactorsOn: bad('Logins need a code already.', 'twoFactorsOn'),
  twoFactorsOff: bad('Logins need no code.', 'twoFactorsOff'),
  ownTwoFactors: bad('Your own two-factor login ends with a code.', 'ownTwoFactors'),
  linkNotValid: bad('This link is not valid any more.', 'endedLink'),
  wrongLogin: rejection('AUTHENTICATION_FAILED', 'Your username or password is incorrect', { onPages: 'wrongLogin' }),
  accountDeactivated: rejection('USER_DEACTIVATED', 'Account is deactivated', { onPages: 'deactivated' }),
  noRoomForPeople: rejection<{ limit: number }>(
    'BAD_REQUEST',
    ({ limit }) => `This organization may have ${limit} people at most.`,
    { onPages: 'peopleLimit' },
  ),
};

/** Whether a refusal is about a wrong present password, and not about the new one. */
export const isWrongPassword = ({ message }: Rejected): boolean => message === WRONG_PASSWORD;

/**
 * Whether a login was refused because name, password or code were wrong. A refusal by a rule of the organization, or because a directory is
 * away, says nothing about them.
 */
export const isGuess = (refusal: Rejected): boolean => GUESSES.has(refusal.message) || isWrongPassword(refusal);

const GUESSES: ReadonlySet<string> = new Set([reject.wrongLogin(), reject.wrongCode()].map(({ message }) => message));

const ABOUT_NAMES: ReadonlySet<string> = new Set(
  [reject.nameTooShort, reject.nameTooLong, reject.nameCharacters, reject.nameFormat, reject.nameTaken].map(
    (refuse) => refuse().message,
  ),
);
/** Whether a refusal is about the name of a person. */
export const isAboutName = ({ message }: Rejected): boolean => ABOUT_NAMES.has(message);

/** Whether a refusal is about a new password. */
export const isWeakPassword = ({ message }: Rejected): boolean => message === reject.weakPassword().message;
