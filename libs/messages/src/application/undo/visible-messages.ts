import { Kernel, feedReader } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { ChannelId, MessageId } from '@annals/kernel/domain';
import { grouped } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { readProtectedHistoryAccess } from '../../read/history/protected-history-access';
import { FOREVER } from '../../read/history/timeline/intervals';
import type { Placements } from '../../read/history/timeline/placements';
import { readPlacements } from '../../read/history/timeline/placements';
import { EVERYTHING } from '../../read/narrow/compiled-narrow';
import { MessageFinder } from '../../read/query/message-finder';
import { readDeleted } from '../../read/upkeep/restorable';
import { ReadableChannels } from '../access/readable-channels';

/** Tells which messages of an act its undo may name: those that the actor can see. */
@Injectable()
export class VisibleMessages {
  constructor(
    private readonly kernel: Kernel,
    private readonly finder: MessageFinder,
    private readonly channels: ReadableChannels,
  ) {}

  /**
   * Those of some messages that the actor can see, and the deleted ones that the actor could see if they were there again.
   * Deleted direct messages count as seen: conversations never change, so the caller checks them.
   */
  async among(work: Work, ids: readonly MessageId[]): Promise<ReadonlySet<MessageId>> {
    if (ids.length === 0) return new Set();
    const present = await this.finder.visible(work.actor, EVERYTHING, ids);
    const deleted = await readDeleted(this.kernel.database.pool, work.realmId, ids);
    const direct = deleted.flatMap(({ id, topicId }) => (topicId === null ? id : []));
    const inChannels = deleted.flatMap(({ id, topicId }) => (topicId === null ? [] : id));
    return new Set([...present, ...direct, ...(await this.amongDeleted(work, inChannels))]);
  }

  private async amongDeleted(work: Work, ids: readonly MessageId[]): Promise<MessageId[]> {
    const placements = await readPlacements(this.kernel.database.pool, work.realmId, ids);
    const seen: MessageId[] = [];
    for (const [channelId, those] of grouped(ids, (id) => placements.channelAt(id, FOREVER))) {
      const channel = channelId === undefined ? null : await this.channels.of(work, channelId);
      if (!channel) continue;
      const isOpen = channel.historyPublicToSubscribers;
      seen.push(...(isOpen ? those : await this.received(work, channel.id, those, placements)));
    }
    return seen;
  }

  /** Where history is protected, users see what arrived while they were subscribed. */
  private received(
    { realmId, actor: { userId } }: Work,
    channelId: ChannelId,
    messageIds: readonly MessageId[],
    placements: Placements,
  ): Promise<MessageId[]> {
    return this.kernel.database.snapshot(async (client) => {
      const reader = feedReader(this.kernel.events, realmId, client);
      const arrived = messageIds.map((id) => placements.arrivedAt(id, FOREVER));
      const hadArrived = await readProtectedHistoryAccess(reader, [{ messageIds, channelId, arrived }], [userId]);
      return messageIds.filter((id) =>
        hadArrived(userId, { id, channelId, arrived: placements.arrivedAt(id, FOREVER) }),
      );
    });
  }
}
