import { ChannelFacts, channelAggregate, memberKey, seesContent, stillMember } from '@annals/channels';
import type { Channel } from '@annals/channels';
import type { Work } from '@annals/kernel';
import type { ChannelId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';

/** Channels whose messages the actor can read (contract/permissions.md section 6, content). */
@Injectable()
export class ReadableChannels {
  constructor(private readonly channels: ChannelFacts) {}

  /**
   * The append depends on the channel and on the membership that gives access.
   *
   * @returns null for a channel that the actor cannot read, as for one that does not exist
   */
  async of(work: Work, id: ChannelId): Promise<Channel | null> {
    const channel = await work.read(channelAggregate, id);
    if (!channel || seesContent(channel, work.actor, false)) return channel;
    const own = await this.channels.subscribedBy(work.realmId, work.actor.userId);
    if (!own.has(id)) return null;
    work.guard(stillMember, memberKey(id, work.actor.userId));
    return channel;
  }
}
