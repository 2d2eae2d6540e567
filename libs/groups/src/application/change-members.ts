import { UnitOfWork } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { Actor, GroupId, UserId } from '@annals/kernel/domain';
import { ensure } from '@annals/kernel/domain';
import { organization } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { addMembers, changeableGroup, removeMembers } from '../domain/decisions';
import type { Group } from '../domain/group';
import { groupAggregate } from '../domain/group';
import { erasedGroupName } from '../domain/names';
import { mayAdd, mayRemove } from '../domain/policies';
import { AuditingBots } from './auditing-bots';
import { GroupNotices } from './group-notices';
import { GroupValues } from './group-values';
import { nest, unnest } from './nesting-changes';

/** The users and groups to add or remove, each once. */
export interface MembersChange {
  readonly add: readonly UserId[];
  readonly remove: readonly UserId[];
  readonly addSubgroups: readonly GroupId[];
  readonly removeSubgroups: readonly GroupId[];
}

/** Changes the members of a group; additions before removals (contract/groups.md sections 2 and 3). */
export class ChangeMembers extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly groupId: GroupId,
    readonly change: MembersChange,
  ) {
    super();
  }
}

/** Changes the members of a group within a unit of work. */
@Injectable()
export class GroupMembers {
  constructor(
    private readonly values: GroupValues,
    private readonly notices: GroupNotices,
    private readonly bots: AuditingBots,
  ) {}

  /** @throws Rejected when the actor may not, or a user or group cannot be added or removed */
  async change(work: Work, groupId: GroupId, change: MembersChange): Promise<void> {
    const { add, remove, addSubgroups, removeSubgroups } = change;
    const group = await this.changeable(work, groupId, change);
    await this.values.ensurePeople(work, [...add, ...remove]);
    await work.decide(groupAggregate, groupId, (state) => addMembers(changeableGroup(state), add));
    await nest(work, groupId, addSubgroups);
    await work.decide(groupAggregate, groupId, (state) => removeMembers(changeableGroup(state), remove));
    await unnest(work, groupId, removeSubgroups);
    work.touchesRows(add.length + remove.length);
    await this.notices.membersChanged(work, { id: groupId, name: group.name ?? erasedGroupName(groupId) }, add, remove);
  }

  /** A group whose members the actor may change so. @throws Rejected when the actor may not, or nobody may */
  async changeable(
    work: Work,
    groupId: GroupId,
    { add, remove, addSubgroups, removeSubgroups }: MembersChange,
  ): Promise<Group> {
    const added = { userIds: add, withSubgroups: addSubgroups.length > 0 };
    const removed = { userIds: remove, withSubgroups: removeSubgroups.length > 0 };
    const group = changeableGroup(await work.read(groupAggregate, groupId));
    const { settings } = await organization(work);
    const rules = { canManageAll: settings.can_manage_all_groups };
    if (add.length > 0 || added.withSubgroups) ensure(mayAdd(group, added, work.actor, rules));
    if (remove.length > 0 || removed.withSubgroups) ensure(mayRemove(group, removed, work.actor, rules));
    await this.bots.ensureMayAdd(work, groupId, { add, addSubgroups });
    return group;
  }
}

@CommandHandler(ChangeMembers)
export class ChangeMembersHandler implements ICommandHandler<ChangeMembers> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly members: GroupMembers,
  ) {}

  async execute({ by, groupId, change }: ChangeMembers): Promise<void> {
    await this.work.run(by, (work) => this.members.change(work, groupId, change));
  }
}
