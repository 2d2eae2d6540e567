import { Kernel } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { ChannelId, RealmId } from '@annals/kernel/domain';
import { BotChannels } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { seesContent } from '../domain/channel/access';
import { channelAggregate } from '../domain/channel/channel';
import { reject } from '../domain/rejections';
import { ChannelFacts } from '../read/channel/channel-facts';
import { readChannelNames } from '../read/channel/channel-row';

/** Finds the channels that a user names for a bot (contract/users.md section 7). */
@Injectable()
export class KnownBotChannels extends BotChannels {
  constructor(
    private readonly kernel: Kernel,
    private readonly channels: ChannelFacts,
  ) {
    super();
  }

  override async named(work: Work, name: string): Promise<ChannelId> {
    const { actor, realmId } = work;
    const id = (await this.channels.byName(realmId, name))?.id;
    const channel = id === undefined ? null : await work.read(channelAggregate, id);
    const own = await this.channels.subscribedBy(realmId, actor.userId);
    const isThere = channel !== null && !channel.isArchived && seesContent(channel, actor, own.has(channel.id));
    if (!isThere) throw reject.unknownChannelName({ name });
    return channel.id;
  }

  override namesOf(realmId: RealmId, ids: readonly ChannelId[]) {
    return readChannelNames(this.kernel.database.pool, realmId, ids);
  }
}
