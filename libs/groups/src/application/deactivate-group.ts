import type { Work } from '@annals/kernel';
import { UnitOfWork } from '@annals/kernel';
import type { Actor, GroupId, GroupSetting } from '@annals/kernel/domain';
import { ensure } from '@annals/kernel/domain';
import { GROUP_SETTING_NAMES, organization } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { changeableGroup, deactivateGroup } from '../domain/decisions';
import { USER_GROUP_SETTINGS } from '../domain/events';
import { graphAggregate, supergroupsOf } from '../domain/graph';
import { groupAggregate } from '../domain/group';
import { mayManage } from '../domain/policies';
import type { Objection } from '../domain/rejections';
import { uses } from '../domain/settings';
import { GroupFacts } from '../read/group-facts';
import { GroupUses } from './group-uses';

/** Deactivates a group that nothing uses (contract/groups.md sections 2 and 3). */
export class DeactivateGroup extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly groupId: GroupId,
  ) {
    super();
  }
}

/** Deactivates groups within a unit of work. The caller checks permissions. */
@Injectable()
export class GroupDeactivations {
  constructor(
    private readonly groups: GroupFacts,
    private readonly uses: GroupUses,
  ) {}

  /** @throws Rejected for a group that is used, that is deactivated already, that does not exist, or a system group */
  async deactivate(work: Work, groupId: GroupId): Promise<void> {
    const group = changeableGroup(await work.read(groupAggregate, groupId));
    const objections = group.isDeactivated ? [] : await this.objections(work, groupId);
    await work.decide(groupAggregate, groupId, () => deactivateGroup(group, objections));
  }

  /** The append depends on the nesting and the organization. A guard checks the settings of channels and groups. */
  private async objections(work: Work, groupId: GroupId): Promise<Objection[]> {
    work.guard(this.uses.unused, groupId);
    const { settings } = await organization(work);
    const realm = namesUsing(settings, GROUP_SETTING_NAMES, groupId);
    const channels = await this.uses.inChannels(work.realmId, groupId);
    return [
      ...(await this.supergroups(work, groupId)),
      ...channels.map((use): Objection => ({ type: 'channel', channel_id: use.channelId, settings: use.settings })),
      ...(await this.otherGroups(work, groupId)),
      ...(realm.length > 0 ? [{ type: 'realm' as const, settings: realm }] : []),
    ];
  }

  private async supergroups(work: Work, groupId: GroupId): Promise<Objection[]> {
    const active: GroupId[] = [];
    for (const id of supergroupsOf(await work.read(graphAggregate, 'group-graph'), groupId)) {
      const supergroup = await work.read(groupAggregate, id);
      if (supergroup?.isDeactivated === false) active.push(id);
    }
    return active.length > 0 ? [{ type: 'subgroup', supergroup_ids: active }] : [];
  }

  /** Settings of the group itself do not count as a use, and those of a deactivated group do not either. */
  private async otherGroups(work: Work, groupId: GroupId): Promise<Objection[]> {
    const others = [...(await this.groups.of(work.realmId)).values()].filter(
      (other) => other.groupId !== groupId && !other.isDeactivated,
    );
    return others
      .map((other) => ({ id: other.groupId, settings: namesUsing(other.settings, USER_GROUP_SETTINGS, groupId) }))
      .filter(({ settings }) => settings.length > 0)
      .map(({ id, settings }): Objection => ({ type: 'user_group', group_id: id, settings }));
  }
}

@CommandHandler(DeactivateGroup)
export class DeactivateGroupHandler implements ICommandHandler<DeactivateGroup> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly groups: GroupDeactivations,
  ) {}

  async execute({ by, groupId }: DeactivateGroup): Promise<void> {
    await this.work.run(by, async (work) => {
      const group = changeableGroup(await work.read(groupAggregate, groupId));
      const { settings } = await organization(work);
      ensure(mayManage(group, work.actor, { canManageAll: settings.can_manage_all_groups }));
      await this.groups.deactivate(work, groupId);
    });
  }
}

/** Names of the settings that use the group, in alphabetical order. */
const namesUsing = <Name extends string>(
  settings: Readonly<Record<Name, GroupSetting>>,
  names: readonly Name[],
  group: GroupId,
): Name[] => names.filter((name) => uses(settings[name], group)).sort();
