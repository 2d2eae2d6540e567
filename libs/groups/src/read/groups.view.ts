import type { RowChanges } from '@annals/kernel';
import { defineProjection, on } from '@annals/kernel';
import type { GroupId, Position, UserId } from '@annals/kernel/domain';
import {
  GroupCreated,
  GroupDeactivated,
  GroupDescribed,
  GroupReactivated,
  GroupRenamed,
  GroupSettingChanged,
  MembersAdded,
  MembersRemoved,
  SubgroupsAdded,
  SubgroupsRemoved,
  SystemGroupCreated,
  USER_GROUP_SETTINGS,
} from '../domain/events';
import { groupAggregate } from '../domain/group';
import { erasedGroupName } from '../domain/names';
import { systemDescription } from '../domain/system-groups';

const settingColumns = Object.fromEntries(USER_GROUP_SETTINGS.map((name) => [name, 'jsonb' as const]));

/**
 * Groups, and spans of direct members and direct subgroups from position to position. Members of system groups by role
 * are not stored, and indirect members are not either (docs/decisions/0009).
 */
export const groupsView = defineProjection({
  name: 'groups',
  version: 2,
  lifecycle: 'inline',
  tables: {
    user_groups: {
      columns: {
        group_id: 'int4',
        system_name: 'text',
        name: 'text',
        description: 'text',
        creator_id: 'int4',
        created_at: 'int8',
        is_deactivated: 'bool',
        ...settingColumns,
      },
      key: ['group_id'],
      indexes: [{ on: ['name'] }],
      sealed: ['name', 'description'],
      past: {
        streams: ({ group_id }) => [groupAggregate.stream(group_id as GroupId)],
        types: [
          SystemGroupCreated,
          GroupCreated,
          GroupRenamed,
          GroupDescribed,
          GroupSettingChanged,
          GroupDeactivated,
          GroupReactivated,
        ],
      },
    },
    group_members: {
      columns: {
        group_id: 'int4',
        user_id: 'int4',
        from_position: 'int8',
        /** Null while a member. */
        to_position: 'int8',
      },
      key: ['group_id', 'user_id', 'from_position'],
      indexes: [{ on: ['user_id'] }],
      past: 'spans',
    },
    group_subgroups: {
      columns: { group_id: 'int4', subgroup_id: 'int4', from_position: 'int8', to_position: 'int8' },
      key: ['group_id', 'subgroup_id', 'from_position'],
      past: 'spans',
    },
  },
  handlers: [
    on(SystemGroupCreated, ({ data, at, position }, rows) => {
      rows.insert('user_groups', {
        group_id: data.groupId,
        system_name: data.systemName,
        name: `role:${data.systemName}`,
        description: systemDescription(data.systemName),
        creator_id: null,
        created_at: at,
        is_deactivated: false,
        ...data.settings,
      });
      openEdges(rows, data.groupId, data.directSubgroups, position);
    }),
    on(GroupCreated, ({ data, sealed, at, position }, rows) => {
      rows.insert('user_groups', {
        group_id: data.groupId,
        system_name: null,
        name: sealed === 'erased' ? erasedGroupName(data.groupId) : sealed.name,
        description: sealed === 'erased' ? '' : sealed.description,
        creator_id: data.creatorId,
        created_at: at,
        is_deactivated: false,
        ...data.settings,
      });
      openMemberships(rows, data.groupId, data.memberIds, position);
    }),
    on(GroupRenamed, ({ data: { groupId }, sealed }, rows) =>
      rows.update(
        'user_groups',
        { group_id: groupId },
        { name: sealed === 'erased' ? erasedGroupName(groupId) : sealed.name },
      ),
    ),
    on(GroupDescribed, ({ data: { groupId }, sealed }, rows) =>
      rows.update('user_groups', { group_id: groupId }, { description: sealed === 'erased' ? '' : sealed.description }),
    ),
    on(GroupSettingChanged, ({ data }, rows) =>
      rows.update('user_groups', { group_id: data.groupId }, { [data.setting]: data.value }),
    ),
    on(GroupDeactivated, ({ data }, rows) =>
      rows.update('user_groups', { group_id: data.groupId }, { is_deactivated: true }),
    ),
    on(GroupReactivated, ({ data }, rows) =>
      rows.update('user_groups', { group_id: data.groupId }, { is_deactivated: false }),
    ),
    on(MembersAdded, ({ data, position }, rows) => openMemberships(rows, data.groupId, data.userIds, position)),
    on(MembersRemoved, ({ data, position }, rows) => {
      for (const user_id of data.userIds) {
        const open = { group_id: data.groupId, user_id, to_position: null };
        rows.update('group_members', open, { to_position: position });
      }
    }),
    on(SubgroupsAdded, ({ data, position }, rows) => openEdges(rows, data.groupId, data.subgroupIds, position)),
    on(SubgroupsRemoved, ({ data, position }, rows) => {
      for (const subgroup_id of data.subgroupIds) {
        const open = { group_id: data.groupId, subgroup_id, to_position: null };
        rows.update('group_subgroups', open, { to_position: position });
      }
    }),
  ],
});

function openMemberships(rows: RowChanges, group: GroupId, users: readonly UserId[], position: Position): void {
  for (const user_id of users) {
    rows.insert('group_members', { group_id: group, user_id, from_position: position, to_position: null });
  }
}

function openEdges(rows: RowChanges, group: GroupId, subgroups: readonly GroupId[], position: Position): void {
  for (const subgroup_id of subgroups) {
    rows.insert('group_subgroups', { group_id: group, subgroup_id, from_position: position, to_position: null });
  }
}
