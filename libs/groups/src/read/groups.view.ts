import { defineProjection, on } from '@annals/kernel';
import { SystemGroupCreated } from '../domain/events';
import { systemDescription } from '../domain/system-groups';

/** Groups, without their members: those of system groups follow from roles. */
export const groupsView = defineProjection({
  name: 'groups',
  version: 1,
  lifecycle: 'inline',
  tables: {
    user_groups: {
      columns: {
        group_id: 'int8',
        system_name: 'text',
        name: 'text',
        description: 'text',
        creator_id: 'int8',
        created_at: 'int8',
        direct_subgroups: 'int8[]',
        settings: 'jsonb',
        is_deactivated: 'bool',
      },
      key: ['group_id'],
      sealed: ['name', 'description'],
    },
  },
  handlers: [
    on(SystemGroupCreated, ({ data, at }, rows) =>
      rows.insert('user_groups', {
        group_id: data.groupId,
        system_name: data.systemName,
        name: `role:${data.systemName}`,
        description: systemDescription(data.systemName),
        creator_id: null,
        created_at: at,
        direct_subgroups: data.directSubgroups,
        settings: data.settings,
        is_deactivated: false,
      }),
    ),
  ],
});
