import type { FactOf, GroupId } from '@annals/kernel/domain';
import { defineEvent, groupId, t, words } from '@annals/kernel/domain';

/** Names of the groups every organization has (contract/permissions.md section 2). */
const SYSTEM_GROUP_NAMES = [
  'nobody',
  'owners',
  'administrators',
  'moderators',
  'fullmembers',
  'members',
  'everyone',
  'internet',
] as const;

/** Who may do what with a group (contract/groups.md section 1). */
export const USER_GROUP_SETTINGS = [
  'can_add_members_group',
  'can_join_group',
  'can_leave_group',
  'can_manage_group',
  'can_mention_group',
  'can_remove_members_group',
] as const;
export type UserGroupSetting = (typeof USER_GROUP_SETTINGS)[number];

/** Stream `group-{id}`: one of the groups every organization has. Who is in it follows from roles. */
export const SystemGroupCreated = defineEvent('groups.SystemGroupCreated', {
  data: t.Object({
    groupId,
    systemName: words(...SYSTEM_GROUP_NAMES),
    directSubgroups: t.Array(groupId),
    settings: t.Unsafe<Readonly<Record<UserGroupSetting, GroupId>>>(
      t.Object(Object.fromEntries(USER_GROUP_SETTINGS.map((name) => [name, groupId]))),
    ),
  }),
  subjects: ({ groupId: group }) => [['group', group]],
});
export type SystemGroupCreated = FactOf<typeof SystemGroupCreated>;

export type GroupEvent = SystemGroupCreated;
