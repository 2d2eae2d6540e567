import { defineProjection, on } from '@annals/kernel';
import {
  DefaultGroupCreated,
  DefaultGroupDeleted,
  DefaultGroupDescribed,
  DefaultGroupExtended,
  DefaultGroupReduced,
  DefaultGroupRenamed,
} from '../domain/default-groups/default-group-events';

/** Groups of default channels, and which channels are in them. */
export const defaultGroupsView = defineProjection({
  name: 'default_channel_groups',
  version: 1,
  lifecycle: 'inline',
  tables: {
    default_channel_groups: {
      columns: { group_id: 'int4', name: 'text', description: 'text' },
      key: ['group_id'],
      sealed: ['name', 'description'],
    },
    default_group_channels: {
      columns: { group_id: 'int4', channel_id: 'int4' },
      key: ['group_id', 'channel_id'],
    },
  },
  handlers: [
    on(DefaultGroupCreated, ({ data: { groupId, channelIds }, sealed }, rows) => {
      rows.insert('default_channel_groups', {
        group_id: groupId,
        name: sealed === 'erased' ? erasedGroup(groupId) : sealed.name,
        description: sealed === 'erased' ? '' : sealed.description,
      });
      for (const channel_id of channelIds) rows.insert('default_group_channels', { group_id: groupId, channel_id });
    }),
    on(DefaultGroupRenamed, ({ data: { groupId }, sealed }, rows) => {
      const name = sealed === 'erased' ? erasedGroup(groupId) : sealed.name;
      rows.update('default_channel_groups', { group_id: groupId }, { name });
    }),
    on(DefaultGroupDescribed, ({ data: { groupId }, sealed }, rows) => {
      const description = sealed === 'erased' ? '' : sealed.description;
      rows.update('default_channel_groups', { group_id: groupId }, { description });
    }),
    on(DefaultGroupExtended, ({ data: { groupId: group_id, channelIds } }, rows) => {
      for (const channel_id of channelIds) rows.insert('default_group_channels', { group_id, channel_id });
    }),
    on(DefaultGroupReduced, ({ data: { groupId: group_id, channelIds } }, rows) => {
      for (const channel_id of channelIds) rows.delete('default_group_channels', { group_id, channel_id });
    }),
    on(DefaultGroupDeleted, ({ data: { groupId: group_id } }, rows) => {
      rows.delete('default_channel_groups', { group_id });
      rows.delete('default_group_channels', { group_id });
    }),
  ],
});

const erasedGroup = (id: number): string => `group ${id}`;
