import type { Work } from '@annals/kernel';
import type { GroupId, UserId } from '@annals/kernel/domain';
import { organization } from '@annals/realm';
import { UserFacts } from '@annals/users';
import { Injectable } from '@nestjs/common';
import type { GroupChange } from '../domain/decisions';
import { addMembers, changeGroup, changeableGroup, createGroup, removeMembers } from '../domain/decisions';
import type { Group } from '../domain/group';
import { groupAggregate } from '../domain/group';
import { reject } from '../domain/rejections';
import { GroupDeactivations } from './deactivate-group';
import { GroupValues } from './group-values';
import { NamesInUse } from './names-in-use';

/** A group that a directory describes. */
export interface DirectoryGroup {
  readonly groupId: GroupId;
  readonly name: string;
  readonly description: string;
  /** Who connected the directory. */
  readonly creatorId: UserId;
  readonly memberIds: readonly UserId[];
}

/** The people to add and to remove. Those who are in the group already, or are not, may be among them. */
export interface MembershipChange {
  readonly add: readonly UserId[];
  readonly remove: readonly UserId[];
}

/**
 * Changes groups for a directory that owners connected, such as SCIM or LDAP, within a unit of work. Nobody has to permit
 * it, and nobody gets a notice. Deactivated accounts may be members, because directories know them too.
 */
@Injectable()
export class DirectoryGroups {
  constructor(
    private readonly users: UserFacts,
    private readonly names: NamesInUse,
    private readonly values: GroupValues,
    private readonly deactivations: GroupDeactivations,
  ) {}

  /**
   * Only owners, and whoever else may manage all groups, can change the new group by hand.
   *
   * @throws Rejected BAD_REQUEST for an invalid name, a name that is in use, or an unknown person
   */
  async create(work: Work, { groupId, name, description, creatorId, memberIds }: DirectoryGroup): Promise<void> {
    await this.ensurePeople(work, memberIds);
    const { systemGroups } = await organization(work);
    const { nobody } = systemGroups;
    const settings = { can_manage_group: nobody, can_add_members_group: nobody };
    const nameTaken = await this.names.isTaken(work, name);
    const decision = () =>
      createGroup(
        groupId,
        { name, description, settings, memberIds },
        { userId: creatorId },
        { nameTaken, systemGroups },
      );
    await work.decide(groupAggregate, groupId, decision);
    work.touchesRows(memberIds.length);
  }

  /** @throws Rejected BAD_REQUEST for an invalid name, or one that is in use */
  rename(work: Work, groupId: GroupId, name: string): Promise<void> {
    return this.change(work, groupId, { name, reactivate: false });
  }

  /** Makes a deactivated group usable again, with the members that it had. */
  async reactivate(work: Work, groupId: GroupId): Promise<void> {
    const { settings } = changeableGroup(await work.read(groupAggregate, groupId));
    for (const value of Object.values(settings)) this.values.declareUse(work, value);
    await this.change(work, groupId, { reactivate: true });
  }

  /** @throws Rejected BAD_REQUEST, or CANNOT_DEACTIVATE_GROUP_IN_USE */
  deactivate(work: Work, groupId: GroupId): Promise<void> {
    return this.deactivations.deactivate(work, groupId);
  }

  /** @throws Rejected BAD_REQUEST for an unknown person, or a bot */
  async changeMembers(work: Work, groupId: GroupId, { add, remove }: MembershipChange): Promise<void> {
    const { members } = changeableGroup(await work.read(groupAggregate, groupId));
    const added = [...new Set(add)].filter((user) => !members.has(user));
    const removed = [...new Set(remove)].filter((user) => members.has(user));
    await this.ensurePeople(work, added);
    await work.decide(groupAggregate, groupId, (state) => addMembers(changeableGroup(state), added));
    await work.decide(groupAggregate, groupId, (state) => removeMembers(changeableGroup(state), removed));
    work.touchesRows(added.length + removed.length);
  }

  private async change(work: Work, groupId: GroupId, change: Pick<GroupChange, 'reactivate'> & { name?: string }) {
    const group: Group = changeableGroup(await work.read(groupAggregate, groupId));
    const { name } = change;
    const nameTaken = name !== undefined && name !== group.name && (await this.names.isTaken(work, name));
    const rules = { nameTaken, isExpected: () => true };
    await work.decide(groupAggregate, groupId, () =>
      changeGroup(group, { ...change, settings: {}, expected: {} }, rules),
    );
  }

  private async ensurePeople(work: Work, userIds: readonly UserId[]): Promise<void> {
    const people = await this.users.accounts(work.realmId, userIds);
    const unknown = userIds.find((userId) => {
      const account = people.get(userId);
      return !account || account.isDeleted || account.botType !== null || account.isSystemBot;
    });
    if (unknown !== undefined) throw reject.noSuchMember({ userId: unknown });
  }
}
