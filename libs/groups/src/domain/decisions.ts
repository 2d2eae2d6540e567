import type { Actor, GroupId, GroupSetting, UserId } from '@annals/kernel/domain';
import { ensure, fact, sameGroupSetting } from '@annals/kernel/domain';
import type { GroupEvent, UserGroupSetting } from './events';
import {
  GroupCreated,
  GroupDeactivated,
  GroupDescribed,
  GroupReactivated,
  GroupRenamed,
  GroupSettingChanged,
  MembersAdded,
  MembersRemoved,
  USER_GROUP_SETTINGS,
} from './events';
import type { Group } from './group';
import { isName } from './names';
import type { Objection } from './rejections';
import { reject } from './rejections';
import { initialGroupSettings } from './settings';

/** A group that is not a system group, so that it can be changed. @throws Rejected BAD_REQUEST for any other */
export function changeableGroup(group: Group | null): Group {
  if (!group) throw reject.noSuchGroup();
  if (group.isSystemGroup) throw reject.systemGroup();
  return group;
}

type SomeSettings = Readonly<Partial<Record<UserGroupSetting, GroupSetting>>>;

/** The properties of a new group. The permission and the users in it were checked. */
export interface GroupInput {
  readonly name: string;
  readonly description: string;
  readonly settings: SomeSettings;
  /** Each once. */
  readonly memberIds: readonly UserId[];
}

/**
 * Creates a group (contract/groups.md section 2).
 *
 * @param rules.nameTaken whether another group has the name, also a deactivated one. The append must guard it
 * @throws Rejected BAD_REQUEST for an invalid name
 */
export function createGroup(
  groupId: GroupId,
  { name, description, settings, memberIds }: GroupInput,
  actor: Pick<Actor, 'userId'>,
  rules: { readonly nameTaken: boolean; readonly systemGroups: Parameters<typeof initialGroupSettings>[0] },
): GroupCreated[] {
  ensure(isName(name));
  if (rules.nameTaken) throw reject.nameTaken({ name });
  const data = {
    groupId,
    creatorId: actor.userId,
    settings: { ...initialGroupSettings(rules.systemGroups, actor.userId), ...settings },
    memberIds: [...memberIds],
  };
  return [fact(GroupCreated, data, { name, description })];
}

/** The requested changes. A property that is left out keeps its value. */
export interface GroupChange {
  readonly name?: string;
  readonly description?: string;
  readonly reactivate: boolean;
  readonly settings: SomeSettings;
  /** The expected present values. */
  readonly expected: SomeSettings;
}

/**
 * Changes a group. Equal values are left out. It is reactivated before it is renamed, so that all clients know it then.
 *
 * @param rules.nameTaken as for `createGroup`
 * @param rules.isExpected whether a caller may expect a present value
 * @throws Rejected BAD_REQUEST, or EXPECTATION_MISMATCH (contract/permissions.md section 3)
 */
export function changeGroup(
  group: Group,
  { name, description, reactivate, settings, expected }: GroupChange,
  rules: {
    readonly nameTaken: boolean;
    readonly isExpected: (expected: GroupSetting, present: GroupSetting) => boolean;
  },
): GroupEvent[] {
  const { groupId } = group;
  const events: GroupEvent[] = [];
  if (reactivate && group.isDeactivated) events.push(fact(GroupReactivated, { groupId }));
  if (name !== undefined && name !== group.name) {
    ensure(isName(name));
    if (rules.nameTaken) throw reject.nameTaken({ name });
    events.push(fact(GroupRenamed, { groupId, isDeactivated: group.isDeactivated && !reactivate }, { name }));
  }
  if (description !== undefined && description !== group.description) {
    events.push(fact(GroupDescribed, { groupId }, { description }));
  }
  for (const setting of USER_GROUP_SETTINGS) {
    const [value, assumed, previous] = [settings[setting], expected[setting], group.settings[setting]];
    if (value === undefined) continue;
    if (assumed !== undefined && !rules.isExpected(assumed, previous)) throw reject.valueMoved();
    if (sameGroupSetting(value, previous)) continue;
    events.push(fact(GroupSettingChanged, { groupId, setting, value, previous }));
  }
  return events;
}

/** @param userIds each once @throws Rejected BAD_REQUEST for a user who is a direct member already */
export function addMembers({ groupId, members }: Group, userIds: readonly UserId[]): MembersAdded[] {
  if (userIds.length === 0) return [];
  const already = userIds.find((user) => members.has(user));
  if (already !== undefined) throw reject.alreadyMember({ userId: already });
  return [fact(MembersAdded, { groupId, userIds: [...userIds] })];
}

/** @param userIds each once @throws Rejected BAD_REQUEST for a user who is no direct member */
export function removeMembers({ groupId, members }: Group, userIds: readonly UserId[]): MembersRemoved[] {
  if (userIds.length === 0) return [];
  const missing = userIds.find((user) => !members.has(user));
  if (missing !== undefined) throw reject.notMember({ userId: missing });
  return [fact(MembersRemoved, { groupId, userIds: [...userIds] })];
}

/** @throws Rejected BAD_REQUEST when it is deactivated, CANNOT_DEACTIVATE_GROUP_IN_USE when it is used */
export function deactivateGroup(
  { groupId, isDeactivated }: Group,
  objections: readonly Objection[],
): GroupDeactivated[] {
  if (isDeactivated) throw reject.alreadyDeactivated();
  if (objections.length > 0) throw reject.inUse(objections);
  return [fact(GroupDeactivated, { groupId })];
}
