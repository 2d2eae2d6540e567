import { ChannelFacts, channelAggregate, memberKey, seesContent, stillMember } from '@annals/channels';
import { Kernel } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { ChannelId, MessageId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { Place } from '../domain/events';
import { reject } from '../domain/rejections';
import { MessageFinder } from '../read/message-finder';
import { readPlaces } from '../read/places';
import { EVERYTHING } from '../read/selection';
import { messageKey, messageThere } from './guards';

/** Messages that somebody may add something to, without being their author. */
@Injectable()
export class WithinReach {
  constructor(
    private readonly kernel: Kernel,
    private readonly finder: MessageFinder,
    private readonly channels: ChannelFacts,
  ) {}

  /**
   * The append rests on the message, its channel and the membership that shows it.
   *
   * @returns where the message is now
   * @throws Rejected BAD_REQUEST for a message that is not there or not to be seen, and in an archived channel
   */
  async ensure(work: Work, id: MessageId): Promise<Place> {
    const [seen, places] = await Promise.all([
      this.finder.visible(work.actor, EVERYTHING, [id]),
      readPlaces(this.kernel.database.pool, work.realmId, [id]),
    ]);
    const placement = places.now(id);
    if (seen.length === 0 || !placement) throw reject.unknownMessage();
    work.guard(messageThere, messageKey(id));
    if ('channelId' in placement.place) await this.ensureChannel(work, placement.place.channelId);
    return placement.place;
  }

  private async ensureChannel(work: Work, id: ChannelId): Promise<void> {
    const channel = await work.read(channelAggregate, id);
    if (!channel || channel.isArchived) throw reject.unknownMessage();
    if (seesContent(channel, work.actor, false)) return;
    const own = await this.channels.subscribedBy(work.realmId, work.actor.userId);
    if (!own.has(id)) throw reject.unknownMessage();
    work.guard(stillMember, memberKey(id, work.actor.userId));
  }
}
