import { Kernel } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { MessageId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { Place } from '../../domain/events';
import { reject } from '../../domain/rejections';
import { MessageFinder } from '../../read/query/message-finder';
import { readPlaces } from '../../read/history/places';
import { EVERYTHING } from '../../read/narrow/compiled-narrow';
import { messageKey, messageThere } from './guards';
import { ReadableChannels } from './readable-channels';

/** Checks that a user who changes a message can see it. */
@Injectable()
export class MessageAccess {
  constructor(
    private readonly kernel: Kernel,
    private readonly finder: MessageFinder,
    private readonly channels: ReadableChannels,
  ) {}

  /**
   * The append depends on the message, its channel and the membership that gives access.
   *
   * @returns where the message is now
   * @throws Rejected BAD_REQUEST for a message that does not exist or that the actor cannot see, and in an archived channel
   */
  async ensure(work: Work, id: MessageId): Promise<Place> {
    const [seen, places] = await Promise.all([
      this.finder.visible(work.actor, EVERYTHING, [id]),
      readPlaces(this.kernel.database.pool, work.realmId, [id]),
    ]);
    const placement = places.now(id);
    if (seen.length === 0 || !placement) throw reject.unknownMessage();
    work.guard(messageThere, messageKey(id));
    const { place } = placement;
    if (!('channelId' in place)) return place;
    const channel = await this.channels.of(work, place.channelId);
    if (!channel || channel.isArchived) throw reject.unknownMessage();
    return place;
  }
}
