import type { PropertyChange, EventDescription } from '@annals/kernel';
import { counted, describeEvent, quoted, thing, wordsOf } from '@annals/kernel';
import { sameGroupSetting } from '@annals/kernel/domain';
import { CHANNEL_SETTINGS } from '../domain/channel/settings';
import {
  Archived,
  ChannelCreated,
  ChannelDescribed,
  ChannelRenamed,
  DefaultChanged,
  FolderChosen,
  PermissionsChanged,
  PrivacyChanged,
  RetentionChanged,
  TopicsPolicyChanged,
  Unarchived,
} from '../domain/events';

const { channel } = thing;

interface Privacy {
  readonly inviteOnly: boolean;
  readonly isWebPublic: boolean;
  readonly historyPublicToSubscribers: boolean;
}

/** The property of the API for each part of the privacy of a channel. */
const PRIVACY = {
  inviteOnly: 'invite_only',
  isWebPublic: 'is_web_public',
  historyPublicToSubscribers: 'history_public_to_subscribers',
} as const;
const PRIVACY_PARTS = Object.keys(PRIVACY) as readonly (keyof Privacy)[];

function inWords({ inviteOnly, isWebPublic, historyPublicToSubscribers }: Privacy): string {
  if (isWebPublic) return 'web-public';
  if (!inviteOnly) return 'public';
  return `private, with ${historyPublicToSubscribers ? 'shared' : 'protected'} history`;
}

/** The event has all parts. Only those that differ are changes. */
const privacyChanges = (before: Privacy, after: Privacy): PropertyChange[] =>
  PRIVACY_PARTS.filter((part) => before[part] !== after[part]).map((part) => ({
    property: PRIVACY[part],
    before: before[part],
    after: after[part],
  }));

const created = describeEvent(ChannelCreated, {
  meaning: 'A channel was created, with all its properties of that time.',
  commands: ['CreateChannel', 'Subscribe', 'setUpOrganization'],
  sentence: ({ data }) => ['created ', channel(data.channelId), ` (${inWords(data)})`],
  begins: (event) => [
    { property: 'name', after: wordsOf(event, ({ name }) => name) },
    { property: 'description', after: wordsOf(event, ({ description }) => description) },
    { property: 'message_retention_days', after: event.data.messageRetentionDays },
    { property: 'topics_policy', after: event.data.topicsPolicy },
    { property: 'folder_id', after: event.data.folderId },
    { property: 'is_default', after: event.data.isDefault },
  ],
  names: (event) => [
    {
      thing: channel(event.data.channelId),
      name: wordsOf(event, ({ name }) => name),
      isPrivate: event.data.inviteOnly,
    },
  ],
});

const renamed = describeEvent(ChannelRenamed, {
  meaning: 'A channel has another name.',
  commands: ['ChangeChannel'],
  sentence: ({ data: { channelId } }) => [
    'renamed ',
    channel(channelId, { before: true }),
    ' to ',
    channel(channelId, { instead: 'another name' }),
  ],
  changes: (event) => [
    {
      property: 'name',
      before: wordsOf(event, ({ previous }) => previous),
      after: wordsOf(event, ({ name }) => name),
      nameOf: channel(event.data.channelId),
    },
  ],
  names: (event) => [{ thing: channel(event.data.channelId), name: wordsOf(event, ({ name }) => name) }],
});

const described = describeEvent(ChannelDescribed, {
  meaning: 'A channel has another description.',
  commands: ['ChangeChannel'],
  sentence: (event) => [
    'changed the description of ',
    channel(event.data.channelId),
    ' to ',
    quoted(
      wordsOf(event, ({ description }) => description),
      'another text',
    ),
  ],
  changes: (event) => [
    { property: 'description', after: wordsOf(event, ({ description }) => description), isWords: true },
  ],
});

const privacyChanged = describeEvent(PrivacyChanged, {
  meaning: 'Other users can see a channel, or they may read less or more of its past.',
  commands: ['ChangeChannel'],
  sentence: ({ data: { channelId, privacy, previous } }) => [
    'made ',
    channel(channelId),
    ` ${inWords(privacy)} (it was ${inWords(previous)})`,
  ],
  changes: ({ data: { privacy, previous } }) => privacyChanges(previous, privacy),
  names: ({ data: { channelId, privacy } }) => [{ thing: channel(channelId), isPrivate: privacy.inviteOnly }],
});

const permissionsChanged = describeEvent(PermissionsChanged, {
  meaning: 'Permission settings of a channel changed.',
  commands: ['ChangeChannel'],
  sentence: ({ data: { channelId, settings, previous } }) => {
    const changed = CHANNEL_SETTINGS.filter((name) => !sameGroupSetting(settings[name], previous[name]));
    return ['changed the permissions of ', channel(channelId), `: ${changed.join(', ')}`];
  },
  changes: ({ data: { settings, previous } }) =>
    CHANNEL_SETTINGS.filter((name) => !sameGroupSetting(settings[name], previous[name])).map((name) => ({
      property: name,
      before: previous[name],
      after: settings[name],
    })),
});

const retentionChanged = describeEvent(RetentionChanged, {
  meaning: 'Messages of a channel are kept for another time.',
  commands: ['ChangeChannel'],
  sentence: ({ data: { channelId, messageRetentionDays: days } }) => [
    'let messages of ',
    channel(channelId),
    days === null ? ' be kept as long as the organization keeps messages' : '',
    days === -1 ? ' be kept forever' : '',
    days !== null && days >= 0 ? ` be kept for ${counted(days, 'day')}` : '',
  ],
  changes: ({ data }) => [{ property: 'message_retention_days', after: data.messageRetentionDays }],
});

const topicsPolicyChanged = describeEvent(TopicsPolicyChanged, {
  meaning: 'A channel treats messages without a topic in another way.',
  commands: ['ChangeChannel'],
  sentence: ({ data: { channelId, topicsPolicy } }) => [
    'changed the topics policy of ',
    channel(channelId),
    ` to ${topicsPolicy}`,
  ],
  changes: ({ data }) => [{ property: 'topics_policy', after: data.topicsPolicy }],
});

const folderChosen = describeEvent(FolderChosen, {
  meaning: 'A channel was put into a folder, or taken out of its folder.',
  commands: ['ChangeChannel'],
  sentence: ({ data: { channelId, folderId } }) =>
    folderId === null
      ? ['took ', channel(channelId), ' out of its folder']
      : ['put ', channel(channelId), ' into ', thing.folder(folderId)],
  changes: ({ data }) => [{ property: 'folder_id', after: data.folderId }],
});

const defaultChanged = describeEvent(DefaultChanged, {
  meaning: 'New accounts are subscribed to a channel from then on, or no longer.',
  commands: ['SetDefaultChannel', 'ChangeChannel', 'ArchiveChannel', 'UndoAct'],
  sentence: ({ data: { channelId, isDefault } }) => [
    isDefault ? 'made ' : 'no longer let ',
    channel(channelId),
    isDefault ? ' a default channel of new users' : ' be a default channel of new users',
  ],
  changes: ({ data }) => [{ property: 'is_default', after: data.isDefault }],
});

const archived = describeEvent(Archived, {
  meaning: 'A channel was archived.',
  commands: ['ArchiveChannel', 'ChangeChannel'],
  sentence: ({ data }) => ['archived ', channel(data.channelId)],
  changes: () => [{ property: 'is_archived', before: false, after: true }],
});

const unarchived = describeEvent(Unarchived, {
  meaning: 'An archived channel can be used again.',
  commands: ['ChangeChannel', 'UndoAct'],
  sentence: ({ data }) => ['unarchived ', channel(data.channelId)],
  changes: () => [{ property: 'is_archived', before: true, after: false }],
});

export const channelDescriptions: readonly EventDescription[] = [
  created,
  renamed,
  described,
  privacyChanged,
  permissionsChanged,
  retentionChanged,
  topicsPolicyChanged,
  folderChosen,
  defaultChanged,
  archived,
  unarchived,
];
