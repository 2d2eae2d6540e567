import type { Work } from '@annals/kernel';
import type { ChannelId } from '@annals/kernel/domain';
import { organization } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { seesContent } from '../../domain/channel/access';
import type { Channel } from '../../domain/channel/channel';
import { channelAggregate } from '../../domain/channel/channel';
import { maySubscribeOthers } from '../../domain/policies';
import { ChannelFacts } from '../../read/channel/channel-facts';
import { memberKey, stillMember } from '../guards';

/** What the actor may not do with channels. */
export interface AddableVerdict {
  /** The first channel that they cannot read, or that is archived or does not exist. Null if there is none. */
  readonly unknown: ChannelId | null;
  /** Whether they may add people to all the others. */
  readonly mayAddToAll: boolean;
}

/** Channels to which the actor may have people added who have no account yet. */
@Injectable()
export class AddableChannels {
  constructor(private readonly channels: ChannelFacts) {}

  /** Everybody may have newcomers added to default channels. The append depends on the channels. */
  async check(work: Work, ids: readonly ChannelId[]): Promise<AddableVerdict> {
    const found = await work.readAll(channelAggregate, ids);
    const own = await this.channels.subscribedBy(work.realmId, work.actor.userId);
    const { settings } = await organization(work);
    const isReadable = (channel: Channel | null): channel is Channel =>
      channel !== null && !channel.isArchived && seesContent(channel, work.actor, own.has(channel.id));
    const unknown = ids.find((_, n) => !isReadable(found[n] ?? null)) ?? null;
    const readable = found.filter(isReadable);
    for (const channel of readable)
      if (!seesContent(channel, work.actor, false)) work.guard(stillMember, memberKey(channel.id, work.actor.userId));
    const mayAdd = (channel: Channel) =>
      channel.isDefault ||
      maySubscribeOthers(channel, work.actor, own.has(channel.id), settings.can_add_subscribers_group).allowed;
    return { unknown, mayAddToAll: readable.every(mayAdd) };
  }
}
