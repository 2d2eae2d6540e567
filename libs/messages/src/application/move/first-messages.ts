import { readActivity } from '@annals/channels';
import { Kernel } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { ChannelId, MessageId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { changeFirstMessage, firstMessageAggregate } from '../../domain/message/first-message';
import type { Going } from '../../read/placement/oldest-message';
import { countGoing, oldestStaying } from '../../read/placement/oldest-message';
import { messageKey, messageThere, oldestInChannel, oldestKey } from '../access/guards';

/** Sees to it that a channel names its oldest message when messages go away or come from elsewhere. */
@Injectable()
export class FirstMessages {
  constructor(private readonly kernel: Kernel) {}

  /** Messages of the channel are deleted or moved to another one; to be called once for all of them. */
  async leaving(work: Work, channelId: ChannelId, going: Going): Promise<void> {
    const first = await this.of(work, channelId);
    work.changesGuard(oldestInChannel, channelId);
    if (first === null || !mayGo(first, going)) return;
    const { pool } = this.kernel.database;
    const next = await oldestStaying(pool, work.realmId, channelId, first, going);
    if (next === first) return;
    const before = next ?? null;
    const messages = await countGoing(pool, work.realmId, channelId, [first, before], going);
    work.guard(oldestInChannel, oldestKey({ channelId, from: first, before, messages }));
    await work.decide(firstMessageAggregate, channelId, () => changeFirstMessage(channelId, before));
  }

  /** Messages come to the channel from another one. @param oldest the oldest of all that come */
  async arriving(work: Work, channelId: ChannelId, oldest: MessageId): Promise<void> {
    const first = await this.of(work, channelId);
    work.changesGuard(oldestInChannel, channelId);
    if (first !== null && first < oldest) return;
    work.guard(messageThere, messageKey(oldest));
    await work.decide(firstMessageAggregate, channelId, () => changeFirstMessage(channelId, oldest));
  }

  /** The append rests on nobody having changed it; it is null before the first message is sent. */
  private async of(work: Work, channelId: ChannelId): Promise<MessageId | null> {
    await work.read(firstMessageAggregate, channelId);
    const activity = await readActivity(this.kernel.database.pool, work.realmId, [channelId]);
    return activity.get(channelId)?.firstMessageId ?? null;
  }
}

const mayGo = (id: MessageId, { messageIds = [], topicIds = [] }: Going): boolean =>
  topicIds.length > 0 || messageIds.includes(id);
