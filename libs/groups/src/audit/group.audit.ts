import type { EventDescription, NamedThing } from '@annals/kernel';
import { describeEvent, listed, quoted, thing, wordsOf } from '@annals/kernel';
import { JOINING_COMMANDS } from '@annals/users';
import type { UserGroupSetting } from '../domain/events';
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
} from '../domain/events';

const { group, user } = thing;
const users = (ids: readonly number[]) => listed(ids.map((id): NamedThing => user(id)));
const groups = (ids: readonly number[]) => listed(ids.map((id): NamedThing => group(id)));

const systemCreated = describeEvent(SystemGroupCreated, {
  meaning: 'The organization has a system group, whose members follow from roles.',
  commands: ['setUpOrganization'],
  sentence: ({ data }) => ['created ', group(data.groupId)],
  names: ({ data: { groupId, systemName } }) => [{ thing: group(groupId), name: `role:${systemName}` }],
});

const created = describeEvent(GroupCreated, {
  meaning: 'A user created a group with its first members.',
  commands: ['CreateGroup', 'CreateScimGroup'],
  sentence: ({ data: { groupId, memberIds } }) => [
    'created ',
    group(groupId),
    ...(memberIds.length > 0 ? [' with ', ...users(memberIds)] : []),
  ],
  begins: (event) => [
    { property: 'name', after: wordsOf(event, ({ name }) => name) },
    { property: 'description', after: wordsOf(event, ({ description }) => description) },
  ],
  names: (event) => [{ thing: group(event.data.groupId), name: wordsOf(event, ({ name }) => name) }],
});

const renamed = describeEvent(GroupRenamed, {
  meaning: 'A group has another name.',
  commands: ['ChangeGroup', 'CreateScimGroup', 'ChangeScimGroup'],
  sentence: ({ data: { groupId } }) => [
    'renamed ',
    group(groupId, { before: true }),
    ' to ',
    group(groupId, { bare: true }),
  ],
  changes: (event) => [{ property: 'name', after: wordsOf(event, ({ name }) => name) }],
  names: (event) => [{ thing: group(event.data.groupId), name: wordsOf(event, ({ name }) => name) }],
});

const described = describeEvent(GroupDescribed, {
  meaning: 'A group has another description.',
  commands: ['ChangeGroup'],
  sentence: (event) => {
    const description = wordsOf(event, (words) => words.description);
    return ['changed the description of ', group(event.data.groupId), ' to ', quoted(description, 'another text')];
  },
  changes: (event) => [
    { property: 'description', after: wordsOf(event, ({ description }) => description), isWords: true },
  ],
});

const PERMISSIONS: Readonly<Record<UserGroupSetting, string>> = {
  can_add_members_group: 'add members to ',
  can_join_group: 'join ',
  can_leave_group: 'leave ',
  can_manage_group: 'manage ',
  can_mention_group: 'mention ',
  can_remove_members_group: 'remove members from ',
};

const settingChanged = describeEvent(GroupSettingChanged, {
  meaning: 'Other users have a permission about a group.',
  commands: ['ChangeGroup'],
  sentence: ({ data: { groupId, setting } }) => [`changed who may ${PERMISSIONS[setting]}`, group(groupId)],
  changes: ({ data: { setting, value, previous } }) => [{ property: setting, before: previous, after: value }],
});

const membersAdded = describeEvent(MembersAdded, {
  meaning: 'Users became direct members of a group.',
  commands: ['ChangeMembers', 'UndoAct', 'CreateScimGroup', 'ChangeScimGroup', ...JOINING_COMMANDS, 'DirectorySync'],
  sentence: ({ data: { groupId, userIds } }) => ['added ', ...users(userIds), ' to ', group(groupId)],
});

const membersRemoved = describeEvent(MembersRemoved, {
  meaning: 'Users are no direct members of a group any more.',
  commands: ['ChangeMembers', 'UndoAct', 'CreateScimGroup', 'ChangeScimGroup', 'DirectorySync'],
  sentence: ({ data: { groupId, userIds } }) => ['removed ', ...users(userIds), ' from ', group(groupId)],
});

const subgroupsAdded = describeEvent(SubgroupsAdded, {
  meaning: 'Members of groups are members of another group too.',
  commands: ['ChangeSubgroups', 'CreateGroup', 'UndoAct'],
  sentence: ({ data: { groupId, subgroupIds } }) => ['put ', ...groups(subgroupIds), ' into ', group(groupId)],
});

const subgroupsRemoved = describeEvent(SubgroupsRemoved, {
  meaning: 'Groups are no part of another group any more.',
  commands: ['ChangeSubgroups', 'UndoAct'],
  sentence: ({ data: { groupId, subgroupIds } }) => ['took ', ...groups(subgroupIds), ' out of ', group(groupId)],
});

const deactivated = describeEvent(GroupDeactivated, {
  meaning: 'A group was deactivated. Its members do not change.',
  commands: ['DeactivateGroup', 'RemoveScimGroup'],
  sentence: ({ data }) => ['deactivated ', group(data.groupId)],
  changes: () => [{ property: 'deactivated', before: false, after: true }],
});

const reactivated = describeEvent(GroupReactivated, {
  meaning: 'A deactivated group can be used again.',
  commands: ['ChangeGroup', 'UndoAct', 'CreateScimGroup'],
  sentence: ({ data }) => ['reactivated ', group(data.groupId)],
  changes: () => [{ property: 'deactivated', before: true, after: false }],
});

export const groupDescriptions: readonly EventDescription[] = [
  systemCreated,
  created,
  renamed,
  described,
  settingChanged,
  membersAdded,
  membersRemoved,
  subgroupsAdded,
  subgroupsRemoved,
  deactivated,
  reactivated,
];
