import { rejection } from '@annals/kernel/domain';

export const reject = {
  alreadyCreated: rejection('BAD_REQUEST', 'The organization exists already'),
  ownersOnly: rejection('UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner'),
  peopleOnly: rejection('UNAUTHORIZED_PRINCIPAL', 'Bots cannot change who may read the history'),
  administratorsOnly: rejection('UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator'),
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
  noSuchEmoji: rejection('BAD_REQUEST', 'There is no such custom emoji', { notFound: true }),
  notTheEmojiAuthor: rejection('BAD_REQUEST', 'Must be an organization administrator or emoji author'),
  noSuchPicture: rejection('BAD_REQUEST', 'There is no such picture', { notFound: true }),
  badDomain: rejection<{ why: string }>('BAD_REQUEST', ({ why }) => `Invalid domain: ${why}`),
  domainExists: rejection<{ domain: string }>(
    'BAD_REQUEST',
    ({ domain }) => `The domain ${domain} is already a part of your organization.`,
  ),
  tooManyDomains: rejection<{ limit: number }>('BAD_REQUEST', ({ limit }) => `There are ${limit} domains already.`),
  noSuchDomain: rejection('BAD_REQUEST', 'There is no entry for this domain'),
  outsideDomains: rejection('BAD_REQUEST', 'This organization does not allow addresses of this domain'),
  plusInEmail: rejection('BAD_REQUEST', 'Addresses with a + are not allowed in this organization'),
  viewerOfPresent: rejection('BAD_REQUEST', 'viewer_id needs as_of'),
  mayNotAudit: rejection('UNAUTHORIZED_AUDIT', 'You do not have permission to read the audit trail.'),
  noSuchOrganization: rejection('NONEXISTENT_SUBDOMAIN', 'Invalid subdomain'),
};
