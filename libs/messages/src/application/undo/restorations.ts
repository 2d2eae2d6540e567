import { noNamedTopics } from '@annals/channels';
import { Kernel } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { ChannelId, TopicId } from '@annals/kernel/domain';
import { grouped } from '@annals/kernel/domain';
import { organization } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { inLanguage } from '../../domain/language';
import type { RestoredPlace } from '../../domain/restoration';
import { restore } from '../../domain/restoration';
import { startTopic, topicAggregate } from '../../domain/topic';
import { goneKey, messageGone, messageKey, messageThere, topicEmptied } from '../access/guards';
import { FirstMessages } from '../move/first-messages';
import { registerTopic } from '../send/open-message';
import type { Restorable } from './act-of-deletion';
import { topicOf } from './act-of-deletion';

/** A topic as it was when its last message was deleted. */
export interface EndedTopic {
  readonly id: TopicId;
  readonly channelId: ChannelId;
  readonly name: string;
}

/** Estimate of the rows that are written for a message. */
const ROWS_PER_MESSAGE = 4;

/** Writes deleted messages back, into their topics or into new topics where these ended. */
@Injectable()
export class Restorations {
  constructor(
    private readonly kernel: Kernel,
    private readonly firsts: FirstMessages,
  ) {}

  /**
   * The append depends on the messages being deleted, and on their texts being in the log. Permissions are the caller's
   * task.
   *
   * @param messages ascending, at least one
   * @param ended topics of these messages that ended
   */
  async apply(work: Work, messages: readonly Restorable[], ended: ReadonlyMap<TopicId, EndedTopic>): Promise<void> {
    const inTopics = grouped(messages, ({ place }) => topicOf(place));
    const oldest = new Map<ChannelId, Restorable>();
    for (const [topicId, those] of inTopics) {
      const target = topicId === null ? null : await this.target(work, topicId, those, ended.get(topicId));
      for (const one of those) write(work, one, target ?? { place: one.place, endedTopicId: null });
      const [first] = those;
      if (!target || !first || !('channelId' in target.place)) continue;
      const known = oldest.get(target.place.channelId);
      if (!known || first.id < known.id) oldest.set(target.place.channelId, first);
    }
    for (const [channelId, { id }] of oldest) await this.firsts.afterRestoration(work, channelId, id);
  }

  private async target(
    work: Work,
    topicId: TopicId,
    messages: readonly Restorable[],
    ended: EndedTopic | undefined,
  ): Promise<RestoredPlace> {
    const topic = await work.read(topicAggregate, topicId);
    if (topic) {
      work.changesGuard(topicEmptied, topicId);
      return { place: { channelId: topic.channelId, topicId }, endedTopicId: null };
    }
    const [first] = messages;
    if (!ended || !first) throw new Error(`topic ${topicId} neither exists nor ended`);
    const { channelId, name } = ended;
    const { settings } = await organization(work);
    const started = { topicId: await this.kernel.ids.next(work.realmId, 'topic'), channelId, name };
    work.append(topicAggregate.stream(started.topicId), [
      startTopic({ ...started, ...inLanguage(settings.default_language) }, first.id),
    ]);
    if (name !== '') work.changesGuard(noNamedTopics, channelId);
    registerTopic(work, started);
    return { place: { channelId, topicId: started.topicId }, endedTopicId: topicId };
  }
}

function write(work: Work, message: Restorable, target: RestoredPlace): void {
  work.guard(messageGone, goneKey(message.id, message.text.position));
  work.changesGuard(messageGone, message.id);
  work.changesGuard(messageThere, messageKey(message.id));
  work.append(`restoration-${message.id}`, [restore(message, target)]);
  work.touchesRows(ROWS_PER_MESSAGE);
}
