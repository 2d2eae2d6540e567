import type { Actor, GroupSetting, UserId, Verdict } from '@annals/kernel/domain';
import { allowed, allowedIf, permits } from '@annals/kernel/domain';
import type { UserGroupSetting } from './events';
import type { Group } from './group';
import { reject } from './rejections';
import { ruleOf } from './settings';

type Somebody = Pick<Actor, 'userId' | 'role' | 'groups'>;
type Governed = Pick<Group, 'settings'>;

/** The organization's permissions for its groups. */
interface GroupRules {
  readonly canManageAll: GroupSetting;
}

const has = ({ settings }: Governed, setting: UserGroupSetting, actor: Somebody): boolean =>
  permits(settings[setting], actor, { guests: ruleOf(setting).everyone });

/** A manager of a group has every other permission on it (contract/groups.md section 2). */
const manages = (group: Governed, actor: Somebody, { canManageAll }: GroupRules): boolean =>
  permits(canManageAll, actor, { guests: false }) || has(group, 'can_manage_group', actor);

export const mayCreateGroups = (canCreate: GroupSetting, actor: Somebody): Verdict =>
  allowedIf(permits(canCreate, actor, { guests: false }), reject.mayNotCreate);

export const mayManage = (group: Governed, actor: Somebody, rules: GroupRules): Verdict =>
  allowedIf(manages(group, actor, rules), reject.mayNotManage);

/** The users and groups to add or to remove. */
export interface Some {
  readonly userIds: readonly UserId[];
  readonly withSubgroups: boolean;
}

const isOnlySelf = ({ userIds, withSubgroups }: Some, { userId }: Somebody): boolean =>
  userIds.length === 1 && userIds[0] === userId && !withSubgroups;

/** Permission to add users or groups. A user may be allowed to join only. */
export function mayAdd(group: Governed, added: Some, actor: Somebody, rules: GroupRules): Verdict {
  const joins = isOnlySelf(added, actor) && has(group, 'can_join_group', actor);
  const may = joins || has(group, 'can_add_members_group', actor) || manages(group, actor, rules);
  return may ? allowed : { allowed: false, because: reject.mayNotAddMembers() };
}

/** Permission to remove users or groups. A user may be allowed to leave only. */
export function mayRemove(group: Governed, removed: Some, actor: Somebody, rules: GroupRules): Verdict {
  const leaves = isOnlySelf(removed, actor) && has(group, 'can_leave_group', actor);
  const may = leaves || has(group, 'can_remove_members_group', actor) || manages(group, actor, rules);
  return may ? allowed : { allowed: false, because: reject.mayNotRemoveMembers() };
}

/**
 * Permission to mention the group in a message (contract/messages.md section 3.1).
 *
 * @param group.systemName null for a group that is not a system group. System groups have no managers
 */
export const mayMentionGroup = (
  group: Governed & { readonly systemName: string | null },
  actor: Somebody,
  rules: GroupRules,
): boolean => has(group, 'can_mention_group', actor) || (group.systemName === null && manages(group, actor, rules));
