import type { RowChanges } from '@annals/kernel';
import { defineProjection, on } from '@annals/kernel';
import type { GroupId, Recorded, UserId } from '@annals/kernel/domain';
import {
  GroupCreated,
  GroupDeactivated,
  GroupReactivated,
  GroupRenamed,
  MembersAdded,
  MembersRemoved,
} from '@annals/groups';
import {
  AccountCreated,
  AddressChanged,
  Deactivated,
  FullNameChanged,
  ProfileDeleted,
  Reactivated,
  RoleChanged,
} from '@annals/users';
import { NOT_DESCRIBED } from '../../domain/scim/resource/user-state';
import { GroupIdentified, GroupRemoved, UserDescribed, UserRemoved } from '../../domain/scim/scim-events';

/**
 * What a directory sees of people and groups beside the read models of users and groups. Each event that changes a resource
 * sets `modified_at`, so the position of the last one is the version of the resource. For a group, events of its members count too:
 * somebody whom a directory deletes disappears from it.
 */
export const scimView = defineProjection({
  name: 'scim',
  version: 2,
  lifecycle: 'inline',
  tables: {
    /** People, no bots. */
    scim_users: {
      columns: {
        user_id: 'int8',
        external_id: 'text',
        /** What the directory said. Null if the account got its present name from somebody else. */
        given_name: 'text',
        family_name: 'text',
        locale: 'text',
        timezone: 'text',
        /** A directory deleted the person. */
        is_removed: 'bool',
        modified_at: 'int8',
      },
      key: ['user_id'],
      indexes: [{ on: ['external_id'], where: 'external_id IS NOT NULL' }],
      sealed: ['external_id', 'given_name', 'family_name', 'locale', 'timezone'],
      changesOften: true,
    },
    /** Groups, no system groups. */
    scim_groups: {
      columns: { group_id: 'int4', external_id: 'text', is_removed: 'bool', modified_at: 'int8' },
      key: ['group_id'],
      indexes: [{ on: ['external_id'], where: 'external_id IS NOT NULL' }],
      sealed: ['external_id'],
      changesOften: true,
    },
    /** Members of groups, also bots and people whom a directory does not see. A row changes when that may have changed. */
    scim_members: {
      columns: { group_id: 'int4', user_id: 'int8', modified_at: 'int8' },
      key: ['group_id', 'user_id'],
      indexes: [{ on: ['user_id'] }, { on: ['group_id', 'last_position'] }],
    },
  },
  handlers: [
    on(AccountCreated, ({ data, at }, rows) => {
      if (data.botType !== null || data.isSystemBot) return;
      rows.insert('scim_users', { user_id: data.userId, ...NOBODY, is_removed: false, modified_at: at });
    }),
    on(FullNameChanged, (event, rows) => changeUser(rows, event, { given_name: null, family_name: null })),
    on(AddressChanged, (event, rows) => changeUser(rows, event)),
    on(RoleChanged, (event, rows) => changeUser(rows, event)),
    on(Deactivated, (event, rows) => changeUser(rows, event)),
    on(Reactivated, (event, rows) => {
      changeUser(rows, event, { is_removed: false });
      changeMemberships(rows, event);
    }),
    on(ProfileDeleted, (event, rows) => {
      rows.delete('scim_users', { user_id: event.data.userId });
      changeMemberships(rows, event);
    }),
    on(UserDescribed, (event, rows) => changeUser(rows, event, describedColumns(event))),
    on(UserRemoved, (event, rows) => {
      changeUser(rows, event, { is_removed: true });
      changeMemberships(rows, event);
    }),
    on(GroupCreated, ({ data, at }, rows) => {
      rows.insert('scim_groups', { group_id: data.groupId, external_id: null, is_removed: false, modified_at: at });
      addMembers(rows, data.groupId, data.memberIds, at);
    }),
    on(GroupRenamed, (event, rows) => changeGroup(rows, event)),
    on(MembersAdded, (event, rows) => {
      changeGroup(rows, event);
      addMembers(rows, event.data.groupId, event.data.userIds, event.at);
    }),
    on(MembersRemoved, (event, rows) => {
      changeGroup(rows, event);
      for (const user_id of event.data.userIds) rows.delete('scim_members', { group_id: event.data.groupId, user_id });
    }),
    on(GroupDeactivated, (event, rows) => changeGroup(rows, event)),
    on(GroupReactivated, (event, rows) => changeGroup(rows, event, { is_removed: false })),
    on(GroupIdentified, (event, rows) =>
      changeGroup(rows, event, { external_id: event.sealed === 'erased' ? null : event.sealed.externalId }),
    ),
    on(GroupRemoved, (event, rows) => changeGroup(rows, event, { is_removed: true })),
  ],
});

const NOBODY = { external_id: null, given_name: null, family_name: null, locale: null, timezone: null };

function describedColumns({ sealed }: Recorded<UserDescribed>) {
  const { externalId, givenName, familyName, locale, timezone } = sealed === 'erased' ? NOT_DESCRIBED : sealed;
  const said = { external_id: externalId, given_name: givenName, family_name: familyName, locale, timezone };
  return { ...said, is_removed: false };
}

type Columns = Readonly<Record<string, string | boolean | null>>;

interface AboutUser {
  readonly data: { readonly userId: UserId };
  readonly at: number;
}

const changeUser = (rows: RowChanges, { data, at }: AboutUser, columns: Columns = {}): void =>
  rows.update('scim_users', { user_id: data.userId }, { ...columns, modified_at: at });

const changeGroup = (
  rows: RowChanges,
  { data, at }: { readonly data: { readonly groupId: GroupId }; readonly at: number },
  columns: Columns = {},
): void => rows.update('scim_groups', { group_id: data.groupId }, { ...columns, modified_at: at });

/** The person may have appeared in their groups, or disappeared from them. */
const changeMemberships = (rows: RowChanges, { data, at }: AboutUser): void =>
  rows.update('scim_members', { user_id: data.userId }, { modified_at: at });

function addMembers(rows: RowChanges, groupId: GroupId, userIds: readonly UserId[], at: number): void {
  for (const user_id of userIds) rows.insert('scim_members', { group_id: groupId, user_id, modified_at: at });
}
