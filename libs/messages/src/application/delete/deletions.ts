import { channelAggregate } from '@annals/channels';
import { Kernel } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { ChannelId, MessageId, TopicId } from '@annals/kernel/domain';
import { grouped } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { Deletable } from '../../domain/deletion';
import { deleteMessages, endTopic } from '../../domain/deletion';
import { topicAggregate } from '../../domain/topic';
import { newestBeside } from '../../read/upkeep/deletable';
import { FirstMessages } from '../move/first-messages';
import { emptiedKey, messageKey, messageThere, topicEmptied } from '../access/guards';

/** Rows that go with a message, about. */
const ROWS_EACH = 4;

/** Takes messages away, with the topics that have no other and the first place in the channel if it was theirs. */
@Injectable()
export class Deletions {
  constructor(
    private readonly kernel: Kernel,
    private readonly firsts: FirstMessages,
  ) {}

  /**
   * Of two who delete a message one wins: the append rests on all of them being there. Nobody's rights are asked.
   *
   * @param messages ascending, at least one; of one conversation, or of topics of one channel
   */
  async carryOut(work: Work, messages: readonly Deletable[]): Promise<void> {
    for (const { id } of messages) {
      work.guard(messageThere, messageKey(id));
      work.changesGuard(messageThere, messageKey(id));
    }
    work.touchesRows(messages.length * ROWS_EACH);
    const place = messages[0]?.place;
    if (place && 'topicId' in place) await this.fromChannel(work, place.channelId, messages);
    else append(work, messages, false);
  }

  private async fromChannel(work: Work, channelId: ChannelId, messages: readonly Deletable[]): Promise<void> {
    const channel = await work.read(channelAggregate, channelId);
    const topics = byTopic(messages);
    for (const those of topics.values()) append(work, those, channel?.historyPublicToSubscribers === false);
    for (const [topic, those] of topics) await this.fromTopic(work, topic, idsOf(those));
    await this.firsts.leaving(work, channelId, { messageIds: idsOf(messages) });
  }

  /** Rests on another message that stays, or on there being none. */
  private async fromTopic(work: Work, topic: TopicId, going: readonly MessageId[]): Promise<void> {
    await work.read(topicAggregate, topic);
    const staying = await newestBeside(this.kernel.database.pool, work.realmId, topic, going);
    if (staying !== undefined) {
      work.guard(messageThere, messageKey(staying));
      return;
    }
    work.guard(topicEmptied, emptiedKey(topic, going.length));
    await work.decide(topicAggregate, topic, endTopic);
  }
}

const idsOf = (messages: readonly Deletable[]): MessageId[] => messages.map(({ id }) => id);

function append(work: Work, messages: readonly Deletable[], protectsHistory: boolean): void {
  const deleted = deleteMessages(messages, protectsHistory);
  work.append(`deletions-${deleted.data.messageIds[0]}`, [deleted]);
}

function byTopic(messages: readonly Deletable[]): Map<TopicId, Deletable[]> {
  const inTopics = messages.flatMap((message) =>
    'topicId' in message.place ? [{ message, topic: message.place.topicId }] : [],
  );
  return grouped(
    inTopics,
    ({ topic }) => topic,
    ({ message }) => message,
  );
}
