import type { Work } from '@annals/kernel';
import type { Actor, ChannelId } from '@annals/kernel/domain';
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

/** A channel that somebody can read. */
interface ReadableChannel {
  readonly id: ChannelId;
  readonly mayAdd: boolean;
}

/**
 * Channels to which somebody may have people added who have no account yet. Everybody may have them added to default
 * channels. The append depends on the channels.
 */
@Injectable()
export class AddableChannels {
  constructor(private readonly channels: ChannelFacts) {}

  /** Whether the actor may have people added to all of these channels. */
  async check(work: Work, ids: readonly ChannelId[]): Promise<AddableVerdict> {
    const readable = await this.readable(work, ids, work.actor);
    const known = new Set(readable.map(({ id }) => id));
    return { unknown: ids.find((id) => !known.has(id)) ?? null, mayAddToAll: readable.every(({ mayAdd }) => mayAdd) };
  }

  /** Those of the channels to which somebody may have people added, who need not be the actor. */
  async among(work: Work, ids: readonly ChannelId[], by: Actor): Promise<ChannelId[]> {
    return (await this.readable(work, ids, by)).filter(({ mayAdd }) => mayAdd).map(({ id }) => id);
  }

  private async readable(work: Work, ids: readonly ChannelId[], by: Actor): Promise<ReadableChannel[]> {
    const found = await work.readAll(channelAggregate, ids);
    const own = await this.channels.subscribedBy(work.realmId, by.userId);
    const { settings } = await organization(work);
    const isReadable = (channel: Channel | null): channel is Channel =>
      channel !== null && !channel.isArchived && seesContent(channel, by, own.has(channel.id));
    return found.filter(isReadable).map((channel) => {
      const isMember = own.has(channel.id);
      if (!seesContent(channel, by, false)) work.guard(stillMember, memberKey(channel.id, by.userId));
      const may = () => maySubscribeOthers(channel, by, isMember, settings.can_add_subscribers_group).allowed;
      return { id: channel.id, mayAdd: channel.isDefault || may() };
    });
  }
}
