import { UnitOfWork } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { Actor, GroupId } from '@annals/kernel/domain';
import { ensure } from '@annals/kernel/domain';
import { organization } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { GroupChange } from '../domain/decisions';
import { changeGroup, changeableGroup } from '../domain/decisions';
import type { Group } from '../domain/group';
import { groupAggregate } from '../domain/group';
import { mayManage } from '../domain/policies';
import { ruleOf } from '../domain/settings';
import { GroupValues } from './group-values';
import { NamesInUse } from './names-in-use';
import { checkedSettings } from './checked-settings';

/** Changes properties and permissions of a group, all of it or nothing (contract/groups.md section 2). */
export class ChangeGroup extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly groupId: GroupId,
    readonly change: GroupChange,
  ) {
    super();
  }
}

/** Changes a group within a unit of work. */
@Injectable()
export class GroupChanges {
  constructor(
    private readonly values: GroupValues,
    private readonly names: NamesInUse,
  ) {}

  /** @throws Rejected when the actor may not, or a value cannot be set */
  async change(work: Work, groupId: GroupId, change: GroupChange): Promise<void> {
    const group = await this.managed(work, groupId);
    const { systemGroups } = await organization(work);
    const { name } = change;
    const nameTaken = name !== undefined && name !== group.name && (await this.names.isTaken(work, name));
    const settings = await checkedSettings(work, change.settings, ruleOf, systemGroups, this.values);
    if (change.reactivate) for (const value of Object.values(group.settings)) this.values.declareUse(work, value);
    const isExpected = await this.values.expectation(work, Object.values(group.settings));
    const decision = () => changeGroup(group, { ...change, settings }, { nameTaken, isExpected });
    await work.decide(groupAggregate, groupId, decision);
  }

  /** A group that the actor may manage. @throws Rejected for others, and for a group that does not exist or is a system group */
  async managed(work: Work, groupId: GroupId): Promise<Group> {
    const group = changeableGroup(await work.read(groupAggregate, groupId));
    const { settings } = await organization(work);
    ensure(mayManage(group, work.actor, { canManageAll: settings.can_manage_all_groups }));
    return group;
  }
}

@CommandHandler(ChangeGroup)
export class ChangeGroupHandler implements ICommandHandler<ChangeGroup> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly groups: GroupChanges,
  ) {}

  async execute({ by, groupId, change }: ChangeGroup): Promise<void> {
    await this.work.run(by, (work) => this.groups.change(work, groupId, change));
  }
}
