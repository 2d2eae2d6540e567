import type { Work } from '@annals/kernel';
import type { GroupId, GroupSetting, UserId } from '@annals/kernel/domain';
import { namedBy, normalGroupSetting, sameGroupSetting } from '@annals/kernel/domain';
import { organization } from '@annals/realm';
import type { UserRow } from '@annals/users';
import { UserAccess, UserFacts, stillActive } from '@annals/users';
import { Injectable } from '@nestjs/common';
import type { Group } from '../domain/group';
import { groupAggregate } from '../domain/group';
import { reject } from '../domain/rejections';
import { GroupUses } from './group-uses';

/** Whether an expected old value is right. */
export type IsExpected = (expected: GroupSetting, present: GroupSetting) => boolean;

/** Checks that named groups and users exist (contract/permissions.md section 3). */
@Injectable()
export class GroupValues {
  constructor(
    private readonly users: UserFacts,
    private readonly uses: GroupUses,
    private readonly userAccess: UserAccess,
  ) {}

  /**
   * For a command that writes the value into a setting. Its groups cannot be deactivated meanwhile.
   *
   * @throws Rejected BAD_REQUEST for an unknown or deactivated group or account, or the server's own. `work` depends on
   *   the groups
   */
  async ensureKnown(work: Work, value: GroupSetting): Promise<void> {
    for (const id of groupsIn(value)) await activeGroup(work, id);
    this.declareUse(work, value);
    if (typeof value !== 'number') await this.ensurePeople(work, value.directMembers);
  }

  /** For a command that brings an earlier setting into force again. Its groups cannot be deactivated meanwhile. */
  declareUse(work: Work, value: GroupSetting): void {
    for (const id of groupsIn(value)) work.changesGuard(this.uses.unused, id);
  }

  /**
   * The accounts cannot be deactivated meanwhile.
   *
   * @throws Rejected BAD_REQUEST for an unknown or deactivated account, or the server's own
   */
  async ensurePeople(work: Work, userIds: readonly UserId[]): Promise<void> {
    const people = await this.users.accounts(work.realmId, userIds);
    // The server's own bot belongs to no organization, so it can get no permission.
    const belongs = (user: UserRow | undefined) => user?.isActive === true && !user.isSystemBot;
    // Guests are refused in the end. Until then no answer reveals users whom they may not see.
    const inaccessible = await this.userAccess.inaccessibleAmong(work.actor, userIds);
    const unknown = userIds.find((userId) => !belongs(people.get(userId)) || inaccessible.has(userId));
    if (unknown !== undefined) throw reject.noSuchMember({ userId: unknown });
    for (const userId of userIds) if (userId !== work.actor.userId) work.guard(stillActive, userId);
  }

  /**
   * The values that a caller may expect: as stored, or as presented, without deactivated users (contract/permissions.md
   * section 3).
   */
  async expectation(work: Work, present: readonly GroupSetting[]): Promise<IsExpected> {
    const { systemGroups } = await organization(work);
    const people = await this.users.accounts(work.realmId, namedBy(present));
    const shown = (value: GroupSetting): GroupSetting =>
      typeof value === 'number'
        ? value
        : { ...value, directMembers: value.directMembers.filter((user) => people.get(user)?.isActive) };
    return (expected, value) =>
      sameGroupSetting(expected, shown(value)) ||
      sameGroupSetting(normalGroupSetting(expected, systemGroups.nobody), value);
  }
}

const groupsIn = (value: GroupSetting): readonly GroupId[] =>
  typeof value === 'number' ? [value] : value.directSubgroups;

/** `work` depends on the group. @throws Rejected BAD_REQUEST for an unknown or deactivated group */
export async function activeGroup(work: Work, id: GroupId): Promise<Group> {
  const group = await work.read(groupAggregate, id);
  if (!group) throw reject.noSuchGroup();
  if (group.isDeactivated) throw reject.groupDeactivated();
  return group;
}
