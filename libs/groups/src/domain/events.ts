import type { FactOf, GroupId, GroupSetting } from '@annals/kernel/domain';
import { SYSTEM_GROUPS, defineEvent, groupId, groupSetting, t, userId, words } from '@annals/kernel/domain';

/** The permission settings of a group (contract/groups.md section 1). */
export const USER_GROUP_SETTINGS = [
  'can_add_members_group',
  'can_join_group',
  'can_leave_group',
  'can_manage_group',
  'can_mention_group',
  'can_remove_members_group',
] as const;
export type UserGroupSetting = (typeof USER_GROUP_SETTINGS)[number];
export type UserGroupSettings = Readonly<Record<UserGroupSetting, GroupSetting>>;

const eachSetting = <Value>(value: Value) => Object.fromEntries(USER_GROUP_SETTINGS.map((name) => [name, value]));

const aboutGroup = ({ groupId: group }: { groupId: number }) => [['group', group] as const];
const aboutMembers = ({ groupId: group, userIds }: { groupId: number; userIds: readonly number[] }) => [
  ['group', group] as const,
  ...userIds.map((user) => ['user', user] as const),
];
const aboutSubgroups = ({ groupId: group, subgroupIds }: { groupId: number; subgroupIds: readonly number[] }) =>
  [group, ...subgroupIds].map((id) => ['group', id] as const);

/** Stream `group-{id}`: a system group. Its members follow from roles. */
export const SystemGroupCreated = defineEvent('groups.SystemGroupCreated', {
  data: t.Object({
    groupId,
    systemName: words(...SYSTEM_GROUPS),
    directSubgroups: t.Array(groupId),
    settings: t.Unsafe<Readonly<Record<UserGroupSetting, GroupId>>>(t.Object(eachSetting(groupId))),
  }),
  subjects: aboutGroup,
});
export type SystemGroupCreated = FactOf<typeof SystemGroupCreated>;

/** Stream `group-{id}`: a user created a group, with these members. */
export const GroupCreated = defineEvent('groups.GroupCreated', {
  data: t.Object({
    groupId,
    creatorId: userId,
    /** All six, with their present values. */
    settings: t.Unsafe<UserGroupSettings>(t.Object(eachSetting(groupSetting))),
    memberIds: t.Array(userId),
  }),
  sealed: t.Object({ name: t.String(), description: t.String() }),
  subjects: ({ groupId: group, creatorId, memberIds }) =>
    aboutMembers({ groupId: group, userIds: [...new Set([creatorId, ...memberIds])] }),
});
export type GroupCreated = FactOf<typeof GroupCreated>;

export const GroupRenamed = defineEvent('groups.GroupRenamed', {
  data: t.Object({
    groupId,
    /** Some clients do not know deactivated groups. */
    isDeactivated: t.Boolean(),
  }),
  sealed: t.Object({ name: t.String() }),
  subjects: aboutGroup,
});
export type GroupRenamed = FactOf<typeof GroupRenamed>;

export const GroupDescribed = defineEvent('groups.GroupDescribed', {
  data: t.Object({ groupId }),
  sealed: t.Object({ description: t.String() }),
  subjects: aboutGroup,
});
export type GroupDescribed = FactOf<typeof GroupDescribed>;

export const GroupSettingChanged = defineEvent('groups.GroupSettingChanged', {
  data: t.Object({ groupId, setting: words(...USER_GROUP_SETTINGS), value: groupSetting, previous: groupSetting }),
  subjects: aboutGroup,
});
export type GroupSettingChanged = FactOf<typeof GroupSettingChanged>;

/** Stream `group-{id}`: these became direct members, by one command. */
export const MembersAdded = defineEvent('groups.MembersAdded', {
  data: t.Object({ groupId, userIds: t.Array(userId, { minItems: 1 }) }),
  subjects: aboutMembers,
});
export type MembersAdded = FactOf<typeof MembersAdded>;

export const MembersRemoved = defineEvent('groups.MembersRemoved', {
  data: t.Object({ groupId, userIds: t.Array(userId, { minItems: 1 }) }),
  subjects: aboutMembers,
});
export type MembersRemoved = FactOf<typeof MembersRemoved>;

/**
 * Stream `group-graph`, so that two concurrent commands cannot close a cycle: these groups are subgroups of that one
 * from now on.
 */
export const SubgroupsAdded = defineEvent('groups.SubgroupsAdded', {
  data: t.Object({ groupId, subgroupIds: t.Array(groupId, { minItems: 1 }) }),
  subjects: aboutSubgroups,
});
export type SubgroupsAdded = FactOf<typeof SubgroupsAdded>;

/** Stream `group-graph`: the counterpart of `SubgroupsAdded`. */
export const SubgroupsRemoved = defineEvent('groups.SubgroupsRemoved', {
  data: t.Object({ groupId, subgroupIds: t.Array(groupId, { minItems: 1 }) }),
  subjects: aboutSubgroups,
});
export type SubgroupsRemoved = FactOf<typeof SubgroupsRemoved>;

/** The group is deactivated; its members do not change. */
export const GroupDeactivated = defineEvent('groups.GroupDeactivated', {
  data: t.Object({ groupId }),
  subjects: aboutGroup,
});
export type GroupDeactivated = FactOf<typeof GroupDeactivated>;

export const GroupReactivated = defineEvent('groups.GroupReactivated', {
  data: t.Object({ groupId }),
  subjects: aboutGroup,
});
export type GroupReactivated = FactOf<typeof GroupReactivated>;

/** The events of one group. */
export type GroupEvent =
  | SystemGroupCreated
  | GroupCreated
  | GroupRenamed
  | GroupDescribed
  | GroupSettingChanged
  | MembersAdded
  | MembersRemoved
  | GroupDeactivated
  | GroupReactivated;
/** The events between groups. */
export type GraphEvent = SubgroupsAdded | SubgroupsRemoved;
