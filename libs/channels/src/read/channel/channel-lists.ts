import { Kernel } from '@annals/kernel';
import type { Actor, ChannelId } from '@annals/kernel/domain';
import type { AsOf } from '@annals/realm';
import { RealmFacts } from '@annals/realm';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import { seesContent } from '../../domain/channel/access';
import { reject } from '../../domain/rejections';
import { ChannelFacts } from './channel-facts';
import type { ChannelSource } from './list-channels';
import { listChannels, listPlainChannels } from './list-channels';
import { PastChannels } from './past-channels';
import type { ChannelList } from './present-channel';
import { channelFigures, plainFigures } from './present-channel';
import type { IncludedSubscribers } from '../subscription/subscriber-lists';

/** The channels that a user may see, by source. */
export class ListChannels extends Query<ChannelList> {
  constructor(
    readonly by: Actor,
    readonly sources: readonly ChannelSource[],
    readonly options: { readonly excludeArchived: boolean; readonly asked: IncludedSubscribers },
    /** Null for the present. */
    readonly asOf: AsOf | null = null,
  ) {
    super();
  }
}

@QueryHandler(ListChannels)
export class ListChannelsHandler implements IQueryHandler<ListChannels> {
  constructor(
    private readonly kernel: Kernel,
    private readonly realms: RealmFacts,
    private readonly past: PastChannels,
  ) {}

  async execute({ by, sources, options, asOf }: ListChannels): Promise<ChannelList> {
    if (asOf) return this.past.list(asOf, sources, options);
    const { pool } = this.kernel.database;
    const all = await listChannels(pool, by, sources);
    const channels = options.excludeArchived ? all.filter(({ isArchived }) => !isArchived) : all;
    const { systemGroups } = await this.realms.of(by.realmId);
    const asked = { include: options.asked, now: () => this.kernel.clock.now() };
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
    /** Null for the present. */
    readonly asOf: AsOf | null = null,
  ) {
    super();
  }
}

@QueryHandler(ShowChannel)
export class ShowChannelHandler implements IQueryHandler<ShowChannel> {
  constructor(
    private readonly kernel: Kernel,
    private readonly realms: RealmFacts,
    private readonly past: PastChannels,
  ) {}

  async execute({ by, channelId, asOf }: ShowChannel): Promise<ChannelList> {
    if (asOf) return this.past.one(asOf, channelId);
    const { pool } = this.kernel.database;
    const channels = await listPlainChannels(pool, by, { sources: ['visible'], only: channelId });
    if (channels.length === 0) throw reject.unknownChannel();
    const { systemGroups } = await this.realms.of(by.realmId);
    return { channels, figures: await plainFigures(pool, by.realmId, channels, systemGroups) };
  }
}
