import { Kernel, UnitOfWork } from '@annals/kernel';
import type { Actor, GroupId } from '@annals/kernel/domain';
import { ensure } from '@annals/kernel/domain';
import { organization } from '@annals/realm';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { GroupInput } from '../domain/decisions';
import { createGroup } from '../domain/decisions';
import { groupAggregate } from '../domain/group';
import { mayCreateGroups } from '../domain/policies';
import { ruleOf } from '../domain/settings';
import { GroupValues } from './group-values';
import { NamesInUse } from './names-in-use';
import { nest } from './nesting-changes';
import { checkedSettings } from './checked-settings';

/** Creates a group with members and subgroups (contract/groups.md section 2). */
export class CreateGroup extends Command<GroupId> {
  constructor(
    readonly by: Actor,
    readonly input: GroupInput,
    /** Each once. */
    readonly subgroupIds: readonly GroupId[],
  ) {
    super();
  }
}

@CommandHandler(CreateGroup)
export class CreateGroupHandler implements ICommandHandler<CreateGroup> {
  constructor(
    private readonly kernel: Kernel,
    private readonly work: UnitOfWork,
    private readonly values: GroupValues,
    private readonly names: NamesInUse,
  ) {}

  execute({ by, input, subgroupIds }: CreateGroup): Promise<GroupId> {
    return this.work.run(by, async (work) => {
      const { settings: rules, systemGroups } = await organization(work);
      ensure(mayCreateGroups(rules.can_create_groups, work.actor));
      await this.values.ensurePeople(work, input.memberIds);
      const settings = await checkedSettings(work, input.settings, ruleOf, systemGroups, this.values);
      const nameTaken = await this.names.isTaken(work, input.name);
      const id = await this.kernel.ids.next(work.realmId, 'group');
      const decision = () => createGroup(id, { ...input, settings }, work.actor, { nameTaken, systemGroups });
      await work.decide(groupAggregate, id, decision);
      work.touchesRows(input.memberIds.length);
      await nest(work, id, subgroupIds);
      return id;
    });
  }
}
