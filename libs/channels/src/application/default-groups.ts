import type { Work } from '@annals/kernel';
import { Kernel, UnitOfWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { channelAggregate, channelNameKey } from '../domain/channel/channel';
import type { DefaultGroupText, NamedChannel } from '../domain/default-groups/default-groups';
import {
  DEFAULT_GROUPS,
  changeDefaultGroup,
  createDefaultGroup,
  defaultGroupsAggregate,
  deleteDefaultGroup,
  extendDefaultGroup,
  reduceDefaultGroup,
} from '../domain/default-groups/default-groups';
import { reject } from '../domain/rejections';
import { ChannelFacts } from '../read/channel/channel-facts';

/** Finds the channels that requests about groups of default channels name. */
@Injectable()
export class ChannelsOfGroups {
  constructor(private readonly channels: ChannelFacts) {}

  /**
   * The append depends on the channels: one may become a default channel or be archived at the same time.
   *
   * @throws Rejected BAD_REQUEST for a name without a channel that could be used
   */
  async named(work: Work, names: readonly string[]): Promise<NamedChannel[]> {
    const rows = await this.channels.byNames(work.realmId, names);
    const ids = names.map((name) => {
      const row = rows.get(channelNameKey(name));
      if (!row) throw reject.unknownChannelName({ name });
      return row.id;
    });
    const states = await work.readAll(channelAggregate, ids);
    return states.map((channel, n) => {
      const name = names[n] ?? '';
      if (!channel || channel.isArchived) throw reject.unknownChannelName({ name });
      return { id: channel.id, name: rows.get(channelNameKey(name))?.name ?? name, isDefault: channel.isDefault };
    });
  }
}

/** contract/whole-interface.md section 2, like all of these */
export class CreateDefaultGroup extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly text: DefaultGroupText,
    readonly channelNames: readonly string[],
  ) {
    super();
  }
}

@CommandHandler(CreateDefaultGroup)
export class CreateDefaultGroupHandler implements ICommandHandler<CreateDefaultGroup> {
  constructor(
    private readonly kernel: Kernel,
    private readonly work: UnitOfWork,
    private readonly channels: ChannelsOfGroups,
  ) {}

  async execute({ by, text, channelNames }: CreateDefaultGroup): Promise<void> {
    await this.work.run(by, async (work) => {
      const channels = await this.channels.named(work, channelNames);
      const id = await this.kernel.ids.next(work.realmId, DEFAULT_GROUPS);
      await work.decide(defaultGroupsAggregate, DEFAULT_GROUPS, (groups) =>
        createDefaultGroup(groups, id, text, channels),
      );
    });
  }
}

/** Changes the name or the description of a group. */
export class ChangeDefaultGroup extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly groupId: number,
    readonly change: Partial<DefaultGroupText>,
  ) {
    super();
  }
}

@CommandHandler(ChangeDefaultGroup)
export class ChangeDefaultGroupHandler implements ICommandHandler<ChangeDefaultGroup> {
  constructor(private readonly work: UnitOfWork) {}

  async execute({ by, groupId, change }: ChangeDefaultGroup): Promise<void> {
    await this.work.run(by, (work) =>
      work.decide(defaultGroupsAggregate, DEFAULT_GROUPS, (groups) => changeDefaultGroup(groups, groupId, change)),
    );
  }
}

/** Adds channels to a group, or removes some. */
export class ChangeChannelsOfDefaultGroup extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly groupId: number,
    readonly op: 'add' | 'remove',
    readonly channelNames: readonly string[],
  ) {
    super();
  }
}

@CommandHandler(ChangeChannelsOfDefaultGroup)
export class ChangeChannelsOfDefaultGroupHandler implements ICommandHandler<ChangeChannelsOfDefaultGroup> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly channels: ChannelsOfGroups,
  ) {}

  async execute({ by, groupId, op, channelNames }: ChangeChannelsOfDefaultGroup): Promise<void> {
    const decide = op === 'add' ? extendDefaultGroup : reduceDefaultGroup;
    await this.work.run(by, async (work) => {
      const channels = await this.channels.named(work, channelNames);
      await work.decide(defaultGroupsAggregate, DEFAULT_GROUPS, (groups) => decide(groups, groupId, channels));
    });
  }
}

export class DeleteDefaultGroup extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly groupId: number,
  ) {
    super();
  }
}

@CommandHandler(DeleteDefaultGroup)
export class DeleteDefaultGroupHandler implements ICommandHandler<DeleteDefaultGroup> {
  constructor(private readonly work: UnitOfWork) {}

  async execute({ by, groupId }: DeleteDefaultGroup): Promise<void> {
    await this.work.run(by, (work) =>
      work.decide(defaultGroupsAggregate, DEFAULT_GROUPS, (groups) => deleteDefaultGroup(groups, groupId)),
    );
  }
}
