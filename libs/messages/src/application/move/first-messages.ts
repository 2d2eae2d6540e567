import { readActivity } from '@annals/channels';
import { Kernel } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { ChannelId, MessageId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { changeFirstMessage, firstMessageAggregate } from '../../domain/message/first-message';
import type { RemovedMessages } from '../../read/placement/oldest-message';
import { countRemoved, oldestStaying } from '../../read/placement/oldest-message';
import { messageKey, messageThere, oldestInChannel, oldestKey } from '../access/guards';

/** Updates the first message of a channel when messages are deleted or moved. */
@Injectable()
export class FirstMessages {
  constructor(private readonly kernel: Kernel) {}

  /** After messages were deleted or moved to another channel. Call it once for all of them. */
  async afterRemoval(work: Work, channelId: ChannelId, removed: RemovedMessages): Promise<void> {
    const first = await this.of(work, channelId);
    work.changesGuard(oldestInChannel, channelId);
    if (first === null || !isRemoved(first, removed)) return;
    const { pool } = this.kernel.database;
    const next = await oldestStaying(pool, work.realmId, channelId, first, removed);
    if (next === first) return;
    const before = next ?? null;
    const messages = await countRemoved(pool, work.realmId, channelId, [first, before], removed);
    work.guard(oldestInChannel, oldestKey({ channelId, from: first, before, messages }));
    await work.decide(firstMessageAggregate, channelId, () => changeFirstMessage(channelId, before));
  }

  /** After messages were moved to the channel. @param oldest the oldest of them */
  async afterArrival(work: Work, channelId: ChannelId, oldest: MessageId): Promise<void> {
    const first = await this.of(work, channelId);
    work.changesGuard(oldestInChannel, channelId);
    if (first !== null && first < oldest) return;
    work.guard(messageThere, messageKey(oldest));
    await work.decide(firstMessageAggregate, channelId, () => changeFirstMessage(channelId, oldest));
  }

  /** After messages were restored to the channel. @param oldest the oldest of them */
  async afterRestoration(work: Work, channelId: ChannelId, oldest: MessageId): Promise<void> {
    const first = await this.of(work, channelId);
    work.changesGuard(oldestInChannel, channelId);
    if (first === null || oldest < first)
      await work.decide(firstMessageAggregate, channelId, () => changeFirstMessage(channelId, oldest));
  }

  /** The first message; null before one is sent. The append depends on it being unchanged. */
  private async of(work: Work, channelId: ChannelId): Promise<MessageId | null> {
    await work.read(firstMessageAggregate, channelId);
    const activity = await readActivity(this.kernel.database.pool, work.realmId, [channelId]);
    return activity.get(channelId)?.firstMessageId ?? null;
  }
}

const isRemoved = (id: MessageId, { messageIds = [], topicIds = [] }: RemovedMessages): boolean =>
  topicIds.length > 0 || messageIds.includes(id);
