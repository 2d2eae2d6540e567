import type { Actor, GroupId, UserId } from '@annals/kernel/domain';

/**
 * Members of groups whose settings an administrator changes. Users know no groups, so the context that does provides
 * this.
 */
export abstract class TargetGroups {
  /** The active members, also through subgroups. @throws Rejected BAD_REQUEST for an unknown or deactivated group */
  abstract membersOf(by: Actor, group: GroupId): Promise<readonly UserId[]>;
}
