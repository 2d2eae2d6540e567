import type { EventDescription } from '@annals/kernel';
import { describeEvent, listed, quoted, thing, wordsOf } from '@annals/kernel';
import type { ChannelId } from '@annals/kernel/domain';
import {
  DefaultGroupCreated,
  DefaultGroupDeleted,
  DefaultGroupDescribed,
  DefaultGroupExtended,
  DefaultGroupReduced,
  DefaultGroupRenamed,
} from '../domain/default-groups/default-group-events';

const { defaultGroup } = thing;

const named = (channels: readonly ChannelId[]) => listed(channels.map((id) => thing.channel(id)));

const created = describeEvent(DefaultGroupCreated, {
  meaning: 'A group of default channels was created.',
  commands: ['CreateDefaultGroup'],
  sentence: ({ data: { groupId, channelIds } }) => [
    'created ',
    defaultGroup(groupId),
    ...(channelIds.length === 0 ? [] : [' with ', ...named(channelIds)]),
  ],
  begins: (event) => {
    const { groupId: of, channelIds } = event.data;
    return [
      { property: 'name', of, after: wordsOf(event, ({ name }) => name) },
      { property: 'description', of, after: wordsOf(event, ({ description }) => description) },
      { property: 'channel_ids', of, after: channelIds },
    ];
  },
  names: (event) => [{ thing: defaultGroup(event.data.groupId), name: wordsOf(event, ({ name }) => name) }],
});

const renamed = describeEvent(DefaultGroupRenamed, {
  meaning: 'A group of default channels has another name.',
  commands: ['ChangeDefaultGroup'],
  sentence: ({ data: { groupId } }) => [
    'renamed ',
    defaultGroup(groupId, { before: true }),
    ' to ',
    defaultGroup(groupId, { bare: true }),
  ],
  changes: (event) => [{ property: 'name', of: event.data.groupId, after: wordsOf(event, ({ name }) => name) }],
  names: (event) => [{ thing: defaultGroup(event.data.groupId), name: wordsOf(event, ({ name }) => name) }],
});

const described = describeEvent(DefaultGroupDescribed, {
  meaning: 'A group of default channels has another description.',
  commands: ['ChangeDefaultGroup'],
  sentence: (event) => {
    const description = wordsOf(event, (words) => words.description);
    return [
      'changed the description of ',
      defaultGroup(event.data.groupId),
      ' to ',
      quoted(description, 'another text'),
    ];
  },
  changes: (event) => {
    const after = wordsOf(event, ({ description }) => description);
    return [{ property: 'description', of: event.data.groupId, after, isWords: true }];
  },
});

const extended = describeEvent(DefaultGroupExtended, {
  meaning: 'A group of default channels has more channels.',
  commands: ['ChangeChannelsOfDefaultGroup', 'UndoAct'],
  sentence: ({ data: { groupId, channelIds } }) => ['added ', ...named(channelIds), ' to ', defaultGroup(groupId)],
});

const reduced = describeEvent(DefaultGroupReduced, {
  meaning: 'A group of default channels has fewer channels.',
  commands: ['ChangeChannelsOfDefaultGroup', 'ArchiveChannel'],
  sentence: ({ data: { groupId, channelIds } }) => ['took ', ...named(channelIds), ' out of ', defaultGroup(groupId)],
});

const deleted = describeEvent(DefaultGroupDeleted, {
  meaning: 'A group of default channels was deleted.',
  commands: ['DeleteDefaultGroup'],
  sentence: ({ data }) => ['deleted ', defaultGroup(data.groupId)],
});

export const defaultGroupDescriptions: readonly EventDescription[] = [
  created,
  renamed,
  described,
  extended,
  reduced,
  deleted,
];
