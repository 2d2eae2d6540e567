import { Kernel } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { MessageId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { Place } from '../../domain/events';
import { reject } from '../../domain/rejections';
import { MessageFinder } from '../../read/query/message-finder';
import { readPlaces } from '../../read/history/places';
import { EVERYTHING } from '../../read/narrow/narrow-compiler';
import { messageKey, messageThere } from './guards';
import { ReadableChannels } from './readable-channels';

/** Messages that somebody may change or add to, as far as that depends on seeing them. */
@Injectable()
export class MessageAccess {
  constructor(
    private readonly kernel: Kernel,
    private readonly finder: MessageFinder,
    private readonly channels: ReadableChannels,
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
    const { place } = placement;
    if (!('channelId' in place)) return place;
    const channel = await this.channels.of(work, place.channelId);
    if (!channel || channel.isArchived) throw reject.unknownMessage();
    return place;
  }
}
