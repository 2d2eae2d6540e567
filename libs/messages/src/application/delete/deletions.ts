import { channelAggregate } from '@annals/channels';
import { Kernel } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { ChannelId, MessageId, TopicId } from '@annals/kernel/domain';
import { grouped } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { Deletable } from '../../domain/deletion';
import { deleteMessages, endTopic } from '../../domain/deletion';
import { topicAggregate } from '../../domain/topic';
import { newestRemaining } from '../../read/upkeep/deletable';
import { FirstMessages } from '../move/first-messages';
import { emptiedKey, messageKey, messageThere, topicEmptied } from '../access/guards';

/** Estimate of the rows that are deleted with a message. */
const ROWS_PER_MESSAGE = 4;

/** Deletes messages, ends topics that have no other, and updates the first message of the channel. */
@Injectable()
export class Deletions {
  constructor(
    private readonly kernel: Kernel,
    private readonly firsts: FirstMessages,
  ) {}

  /**
   * The append depends on all messages being there, so of two users who delete one only one succeeds. Permissions are the
   * caller's task.
   *
   * @param messages ascending, at least one; of one conversation, or of topics of one channel
   */
  async apply(work: Work, messages: readonly Deletable[]): Promise<void> {
    for (const { id } of messages) {
      work.guard(messageThere, messageKey(id));
      work.changesGuard(messageThere, messageKey(id));
    }
    work.touchesRows(messages.length * ROWS_PER_MESSAGE);
    const place = messages[0]?.place;
    if (place && 'topicId' in place) await this.fromChannel(work, place.channelId, messages);
    else append(work, messages, false);
  }

  private async fromChannel(work: Work, channelId: ChannelId, messages: readonly Deletable[]): Promise<void> {
    const channel = await work.read(channelAggregate, channelId);
    const topics = byTopic(messages);
    for (const those of topics.values()) append(work, those, channel?.historyPublicToSubscribers === false);
    for (const [topic, those] of topics) await this.fromTopic(work, topic, idsOf(those));
    await this.firsts.afterRemoval(work, channelId, { messageIds: idsOf(messages) });
  }

  /** The append depends on another message that stays, or on there being none. */
  private async fromTopic(work: Work, topic: TopicId, going: readonly MessageId[]): Promise<void> {
    await work.read(topicAggregate, topic);
    const staying = await newestRemaining(this.kernel.database.pool, work.realmId, topic, going);
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
