import { UnitOfWork } from '@annals/kernel';
import type { Actor, GroupId } from '@annals/kernel/domain';
import { ensure } from '@annals/kernel/domain';
import { organization } from '@annals/realm';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { changeableGroup } from '../domain/decisions';
import { groupAggregate } from '../domain/group';
import { mayAdd, mayManage } from '../domain/policies';
import { AuditingBots } from './auditing-bots';
import { nest, unnest } from './nesting-changes';

/** Changes the subgroups of a group; additions before removals (INTERFACE.md 4.18). */
export class ChangeSubgroups extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly groupId: GroupId,
    /** Each once, also those to remove. */
    readonly add: readonly GroupId[],
    readonly remove: readonly GroupId[],
  ) {
    super();
  }
}

@CommandHandler(ChangeSubgroups)
export class ChangeSubgroupsHandler implements ICommandHandler<ChangeSubgroups> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly bots: AuditingBots,
  ) {}

  async execute({ by, groupId, add, remove }: ChangeSubgroups): Promise<void> {
    await this.work.run(by, async (work) => {
      const group = changeableGroup(await work.read(groupAggregate, groupId));
      const { settings } = await organization(work);
      const rules = { canManageAll: settings.can_manage_all_groups };
      if (add.length > 0) ensure(mayAdd(group, { userIds: [], withSubgroups: true }, work.actor, rules));
      if (remove.length > 0) ensure(mayManage(group, work.actor, rules));
      await this.bots.ensureMayAdd(work, groupId, { add: [], addSubgroups: add });
      await nest(work, groupId, add);
      await unnest(work, groupId, remove);
    });
  }
}
