import { rejection } from '@annals/kernel/domain';

const bad = (text: string) => rejection('BAD_REQUEST', text);

/** Every refusal of this context (contract/channels.md section 2, subscriptions.md section 2.1, permissions.md). */
export const reject = {
  nameTaken: rejection<{ channel_name: string }>('CHANNEL_ALREADY_EXISTS', 'A channel with this name already exists.'),
  unknownChannel: bad('Invalid channel ID'),
  unknownChannelName: rejection<{ name: string }>('BAD_REQUEST', ({ name }) => `Invalid channel name '${name}'`),
  mayNotCreatePrivate: bad('Insufficient permission to create private channels.'),
  mayNotCreatePublic: bad('Insufficient permission to create public channels.'),
  administratorNeededForDefault: bad('Insufficient permission to make a channel a default channel.'),
  privateDefault: bad('A default channel cannot be private.'),
  webPublicDisabled: bad('Web-public channels are not enabled.'),
  webPublicPrivate: bad('A web-public channel cannot be private.'),
  webPublicProtected: bad('A web-public channel cannot have protected history.'),
  publicProtected: bad('A public channel cannot have protected history.'),
  mayNotCreateWebPublic: bad('Insufficient permission to create web-public channels.'),
  mayNotAdminister: rejection('CANNOT_ADMINISTER_CHANNEL', 'You do not have permission to administer this channel.'),
  mayNotPost: bad('You do not have permission to post in this channel.'),
  notYourBot: bad('Invalid sender ID'),
  contentNeeded: bad('Channel content access is required.'),
  sameName: bad('Channel already has that name.'),
  moderationRequestsArePrivate: bad('The channel for moderation requests must be private.'),
  namedTopics: bad('There are messages in other topics than the empty one.'),
  alreadyArchived: bad('Channel is already archived.'),
  notArchived: bad('Channel is not archived.'),
  archivedWithoutSubscribers: bad('A private channel without subscribers cannot be unarchived.'),
  valueMoved: rejection('EXPECTATION_MISMATCH', "'old' value does not match the expected value."),
  ownerNeededForRetention: rejection('UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner'),
  retentionNotSupported: bad(
    'This server does not delete old messages: message_retention_days can be "unlimited" or "realm_default" only.',
  ),
  mayNotSetTopicsPolicy: bad('Insufficient permission to set the topics policy.'),
  mayNotSetDeletePermissions: bad('Insufficient permission to set who may delete messages.'),
  topicsOfProtectedHistory: rejection<{ parameters: string }>(
    'BAD_REQUEST',
    'In a private channel with protected history everyone must be allowed to create topics.',
  ),
  unknownFolder: bad('Invalid channel folder ID'),
  archivedFolder: bad('The channel folder is archived.'),
  folderNameTaken: bad('A channel folder with this name already exists.'),
  folderInUse: bad('All channels must be taken out of the folder before it is archived.'),
  incompleteOrder: bad('The order must name every channel folder once.'),
  unknownDefaultGroup: rejection<{ id: number }>(
    'BAD_REQUEST',
    ({ id }) => `Default channel group with id '${id}' does not exist.`,
  ),
  invalidDefaultGroupName: rejection<{ name: string }>(
    'BAD_REQUEST',
    ({ name }) => `Invalid default channel group name '${name}'`,
  ),
  defaultGroupNameTooLong: rejection<{ limit: number }>(
    'BAD_REQUEST',
    ({ limit }) => `Default channel group name too long (limit: ${limit} characters)`,
  ),
  defaultGroupNameTaken: rejection<{ name: string }>(
    'BAD_REQUEST',
    ({ name }) => `Default channel group '${name}' already exists`,
  ),
  sameDefaultGroupName: rejection<{ name: string }>(
    'BAD_REQUEST',
    ({ name }) => `This default channel group is already named '${name}'`,
  ),
  tooManyDefaultGroups: rejection<{ limit: number }>(
    'BAD_REQUEST',
    ({ limit }) => `There can be ${limit} default channel groups at most`,
  ),
  defaultInGroup: rejection<{ channel: string; group: string }>(
    'BAD_REQUEST',
    ({ channel, group }) => `'${channel}' is a default channel and cannot be added to '${group}'`,
  ),
  inDefaultGroup: rejection<{ channel: string; group: string }>(
    'BAD_REQUEST',
    ({ channel, group }) => `Channel '${channel}' is already present in default channel group '${group}'`,
  ),
  notInDefaultGroup: rejection<{ channel: string; group: string }>(
    'BAD_REQUEST',
    ({ channel, group }) => `Channel '${channel}' is not present in default channel group '${group}'`,
  ),
  unknownPrincipal: bad('No such user, or the account is deactivated'),
  mayNotSubscribeOthers: bad('Insufficient permission to subscribe others.'),
  channelsNotAccessible: rejection<{ names: readonly string[] }>(
    'BAD_REQUEST',
    ({ names }) => `Unable to access channel (${names.join(', ')}).`,
  ),

  noSuchChannel: rejection<{ stream: string }>('STREAM_DOES_NOT_EXIST', 'Channel does not exist'),
  tooManySubscriptions: bad('Too many people and channels at once.'),
  mayNotUnsubscribeOthers: bad('Insufficient permission to unsubscribe others.'),
  nothingToDo: bad('Nothing to do. Specify at least one of "add" or "delete".'),
  mayNotSubscribeAsGuest: bad('Not allowed for guest users'),
  addedAndDeleted: rejection<{ name: string }>(
    'BAD_REQUEST',
    ({ name }) => `Channel '${name}' cannot be added and deleted at once.`,
  ),
  notSubscribed: rejection<{ channelId: number }>(
    'BAD_REQUEST',
    ({ channelId }) => `Not subscribed to channel ID ${channelId}`,
  ),
  unknownProperty: rejection<{ property: string }>(
    'BAD_REQUEST',
    ({ property }) => `Unknown subscription property: ${property}`,
  ),
  propertyNotBoolean: rejection<{ property: string }>('BAD_REQUEST', ({ property }) => `${property} is not a boolean`),
  badColor: bad('color is not a valid hex color code'),
};
