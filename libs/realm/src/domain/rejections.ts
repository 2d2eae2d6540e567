import { rejection } from '@annals/kernel/domain';

export const reject = {
  alreadyCreated: rejection('BAD_REQUEST', 'The organization exists already'),
  ownersOnly: rejection('UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner'),
  peopleOnly: rejection('UNAUTHORIZED_PRINCIPAL', 'Bots cannot change who may read the history'),
  administratorsOnly: rejection('UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator'),
  noDemoOrganization: rejection('BAD_REQUEST', 'Must be a demo organization.'),
  notChangeable: rejection<{ setting: string }>('BAD_REQUEST', ({ setting }) => `${setting} cannot be changed`),
  systemGroupRequired: rejection<{ setting_name: string }>(
    'SYSTEM_GROUP_REQUIRED',
    'This setting can only be set to a system user group.',
  ),
  groupNotAllowed: rejection<{ setting: string; group: string }>(
    'BAD_REQUEST',
    ({ setting, group }) => `'${setting}' setting cannot be set to '${group}' group.`,
  ),
  retentionNotSupported: rejection(
    'BAD_REQUEST',
    'This server does not delete old messages: message_retention_days can be "unlimited" only.',
  ),
  valueMoved: rejection('EXPECTATION_MISMATCH', "'old' value does not match the expected value."),
  mayNotAddEmoji: rejection('BAD_REQUEST', 'You do not have permission to add custom emoji.'),
  mayNotOverrideEmoji: rejection('BAD_REQUEST', 'Only administrators can override default emoji.'),
  emojiNameTaken: rejection('BAD_REQUEST', 'A custom emoji with this name already exists.'),
  emojiNameMissing: rejection('BAD_REQUEST', 'Emoji name is missing'),
  emojiNameCharacters: rejection(
    'BAD_REQUEST',
    'Emoji names must contain only lowercase English letters, digits, spaces, dashes, and underscores.',
  ),
  emojiNameEnd: rejection('BAD_REQUEST', 'Emoji names must end with either a letter or digit.'),
  emojiNameTooLong: rejection('BAD_REQUEST', 'Emoji name is too long.'),
  emojiTooLarge: rejection<{ mib: number }>(
    'BAD_REQUEST',
    ({ mib }) => `Uploaded file is larger than the allowed limit of ${mib} MiB`,
  ),
  noPicture: rejection('BAD_IMAGE', 'Invalid image format'),
  brokenPicture: rejection('BAD_IMAGE', 'Could not decode image; did you upload an image file?'),
  tooManyPixels: rejection('BAD_IMAGE', 'Image size exceeds limit.'),
  ownPictureFirst: rejection<{ 'retry-after': number }>(
    'RATE_LIMIT_HIT',
    'Another picture that you sent is being processed. Please try again.',
  ),
  tooManyPictures: rejection<{ 'retry-after': number }>(
    'RATE_LIMIT_HIT',
    'Other pictures of your organization are being processed. Please try again.',
  ),
  noSuchEmoji: rejection('BAD_REQUEST', 'There is no such custom emoji', { notFound: true }),
  notTheEmojiAuthor: rejection('BAD_REQUEST', 'Must be an organization administrator or emoji author'),
  onePicture: rejection<{ picture: string }>('BAD_REQUEST', ({ picture }) => `You must upload exactly one ${picture}.`),
  noSuchPicture: rejection('BAD_REQUEST', 'There is no such picture', { notFound: true }),
  badDomain: rejection<{ why: string }>('BAD_REQUEST', ({ why }) => `Invalid domain: ${why}`),
  domainExists: rejection<{ domain: string }>(
    'BAD_REQUEST',
    ({ domain }) => `The domain ${domain} is already a part of your organization.`,
  ),
  tooManyDomains: rejection<{ limit: number }>('BAD_REQUEST', ({ limit }) => `There are ${limit} domains already.`),
  noSuchDomain: rejection('BAD_REQUEST', 'There is no entry for this domain'),
  outsideDomains: rejection('BAD_REQUEST', 'This organization does not allow addresses of this domain', {
    onPages: 'otherDomain',
  }),
  plusInEmail: rejection('BAD_REQUEST', 'Addresses with a + are not allowed in this organization', {
    onPages: 'plusInEmail',
  }),
  blankField: rejection('BAD_REQUEST', 'This field cannot be blank.'),
  badPattern: rejection<{ error: string }>('BAD_REQUEST', ({ error }) => `Bad regular expression: ${error}`),
  patternTooLarge: rejection('BAD_REQUEST', 'Bad regular expression: it is too large'),
  badUrlTemplate: rejection('BAD_REQUEST', 'Invalid URL template.'),
  groupNotInPattern: rejection<{ group: string }>(
    'BAD_REQUEST',
    ({ group }) => `Group '${group}' in URL template is not present in linkifier pattern.`,
  ),
  groupNotInTemplate: rejection<{ group: string }>(
    'BAD_REQUEST',
    ({ group }) => `Group '${group}' in linkifier pattern is not present in URL template.`,
  ),
  exampleMissing: rejection('BAD_REQUEST', 'reverse_template needs example_input'),
  exampleNotMatched: rejection('BAD_REQUEST', 'Example input does not match the linkifier pattern.'),
  exampleNotReversed: rejection('BAD_REQUEST', 'Example text does not match auto-conversion field.'),
  reverseUnclosed: rejection('BAD_REQUEST', "Invalid auto-conversion field: missing '}' character."),
  reverseEmpty: rejection('BAD_REQUEST', 'Invalid auto-conversion field: empty field name.'),
  groupNotInReverse: rejection<{ group: string }>(
    'BAD_REQUEST',
    ({ group }) => `Group '${group}' in auto-conversion field is not present in linkifier pattern.`,
  ),
  linkifierExists: rejection('BAD_REQUEST', 'A linkifier with this pattern already exists.'),
  tooManyLinkifiers: rejection<{ limit: number }>(
    'BAD_REQUEST',
    ({ limit }) => `There are ${limit} linkifiers already.`,
  ),
  noSuchLinkifier: rejection('BAD_REQUEST', 'Linkifier not found.'),
  notAllLinkifiers: rejection('BAD_REQUEST', 'The ordered list must enumerate all existing linkifiers exactly once'),
  badLanguage: rejection('BAD_REQUEST', 'Invalid characters in pygments language'),
  codeMissing: rejection('BAD_REQUEST', 'Missing the required variable "code" in the URL template'),
  codeOnly: rejection('BAD_REQUEST', '"code" should be the only variable present in the URL template'),
  playgroundExists: rejection('BAD_REQUEST', 'A playground with this language and name already exists.'),
  tooManyPlaygrounds: rejection<{ limit: number }>(
    'BAD_REQUEST',
    ({ limit }) => `There are ${limit} playgrounds already.`,
  ),
  noSuchPlayground: rejection('BAD_REQUEST', 'Invalid playground'),
  noSuchMethod: rejection<{ name: string; methods: readonly string[] }>(
    'BAD_REQUEST',
    ({ name, methods }) =>
      `Invalid authentication method: ${name}. Valid methods are: [${methods
        .toSorted()
        .map((one) => `'${one}'`)
        .join(', ')}]`,
  ),
  passwordsOff: rejection('PASSWORD_AUTH_DISABLED', 'Password authentication is disabled in this organization', {
    onPages: 'passwordsOff',
  }),
  noMethodLeft: rejection('BAD_REQUEST', 'At least one authentication method must be enabled.'),
  viewerOfPresent: rejection('BAD_REQUEST', 'viewer_id needs as_of'),
  mayNotAudit: rejection('UNAUTHORIZED_AUDIT', 'You do not have permission to read the audit trail.'),
  noSuchOrganization: rejection('NONEXISTENT_SUBDOMAIN', 'Invalid subdomain'),
  organizationDeactivated: rejection('REALM_DEACTIVATED', 'This organization has been deactivated', {
    onPages: 'deactivatedOrganization',
  }),
  deletedTooSoon: rejection<{ days: number }>(
    'BAD_REQUEST',
    ({ days }) => `Data deletion time must be at least ${days} days in the future.`,
  ),
  deletedTooLate: rejection<{ days: number }>(
    'BAD_REQUEST',
    ({ days }) => `Data deletion time must be at most ${days} days in the future.`,
  ),
  badSubdomain: rejection<{ problem: string }>('BAD_REQUEST', ({ problem }) => problem),
  subdomainTaken: rejection('BAD_REQUEST', 'Subdomain is already in use. Please choose a different one.'),
  ownHost: rejection('BAD_REQUEST', 'This organization is at the host name of the server itself.'),
  badName: rejection('BAD_REQUEST', 'The name must have 1 to 40 characters, in one line.'),
  badHost: rejection<{ host: string }>('BAD_REQUEST', ({ host }) => `${host} is not a host name.`),
  hostTaken: rejection<{ host: string }>('BAD_REQUEST', ({ host }) => `${host} already means an organization.`),
  serverHost: rejection<{ host: string }>(
    'BAD_REQUEST',
    ({ host }) =>
      `${host} is the host name of this server or below it. Such a name is a subdomain, and cannot be added.`,
  ),
  noSuchHost: rejection<{ host: string }>('BAD_REQUEST', ({ host }) => `This organization is not at ${host}.`),
  tooManyHosts: rejection<{ limit: number }>(
    'BAD_REQUEST',
    ({ limit }) => `The organization has ${limit} host names already.`,
  ),
  logIsFull: rejection<{ limit: number }>(
    'REALM_LOG_QUOTA',
    ({ limit }) => `The history of this organization has reached its limit of ${limit} MiB.`,
    { onPages: 'fullLog' },
  ),
};
