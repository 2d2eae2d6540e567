import { Kernel } from '@annals/kernel';
import type { Actor, ChannelId } from '@annals/kernel/domain';
import { RealmFacts } from '@annals/realm';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import { seesContent } from '../../domain/channel/access';
import { reject } from '../../domain/rejections';
import { ChannelFacts } from './channel-facts';
import type { ChannelSource, ListedChannel } from './list-channels';
import { listChannels } from './list-channels';
import type { ChannelFigures } from './present-channel';
import { channelFigures } from './present-channel';
import type { IncludedSubscribers } from '../subscription/subscriber-lists';

/** Channels and what is needed to present them. */
interface ChannelList {
  readonly channels: readonly ListedChannel[];
  readonly figures: ChannelFigures;
}

/** The channels that a user may see, by source. */
export class ListChannels extends Query<ChannelList> {
  constructor(
    readonly by: Actor,
    readonly sources: readonly ChannelSource[],
    readonly options: { readonly excludeArchived: boolean; readonly asked: IncludedSubscribers },
  ) {
    super();
  }
}

@QueryHandler(ListChannels)
export class ListChannelsHandler implements IQueryHandler<ListChannels> {
  constructor(
    private readonly kernel: Kernel,
    private readonly realms: RealmFacts,
  ) {}

  async execute({ by, sources, options }: ListChannels): Promise<ChannelList> {
    const { pool } = this.kernel.database;
    const all = await listChannels(pool, by, sources);
    const channels = options.excludeArchived ? all.filter(({ isArchived }) => !isArchived) : all;
    const { systemGroups } = await this.realms.of(by.realmId);
    const asked = { include: options.asked, at: this.kernel.clock.now() };
    return { channels, figures: await channelFigures(pool, by.realmId, channels, { systemGroups, asked }) };
  }
}

/** The id of a channel that the user can read (contract/channels.md section 4). */
export class FindChannelId extends Query<ChannelId> {
  constructor(
    readonly by: Actor,
    readonly name: string,
  ) {
    super();
  }
}

@QueryHandler(FindChannelId)
export class FindChannelIdHandler implements IQueryHandler<FindChannelId> {
  constructor(private readonly channels: ChannelFacts) {}

  async execute({ by, name }: FindChannelId): Promise<ChannelId> {
    const channel = await this.channels.byName(by.realmId, name.trim());
    const own = await this.channels.subscribedBy(by.realmId, by.userId);
    if (!channel || !seesContent(channel, by, own.has(channel.id))) throw reject.unknownChannelName({ name });
    return channel.id;
  }
}

/** One channel that the user can see, archived or not (contract/channels.md section 4). */
export class ShowChannel extends Query<ChannelList> {
  constructor(
    readonly by: Actor,
    readonly channelId: ChannelId,
  ) {
    super();
  }
}

@QueryHandler(ShowChannel)
export class ShowChannelHandler implements IQueryHandler<ShowChannel> {
  constructor(
    private readonly kernel: Kernel,
    private readonly realms: RealmFacts,
  ) {}

  async execute({ by, channelId }: ShowChannel): Promise<ChannelList> {
    const { pool } = this.kernel.database;
    const channels = await listChannels(pool, by, ['visible'], channelId);
    if (channels.length === 0) throw reject.unknownChannel();
    const { systemGroups } = await this.realms.of(by.realmId);
    const asked = { include: false, at: this.kernel.clock.now() };
    return { channels, figures: await channelFigures(pool, by.realmId, channels, { systemGroups, asked }) };
  }
}
