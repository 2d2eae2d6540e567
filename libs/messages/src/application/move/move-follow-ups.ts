import { AutomaticPolicies, ChannelFacts, TopicPolicies, TopicReaders } from '@annals/channels';
import { Kernel } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { MessageId, UserId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { NamedPlace } from '../../domain/move/move';
import { RESOLUTION_GRACE_SECONDS, cameHere, resolutionChanged, wentAway } from '../../domain/move/move-notice';
import type { NoticeText } from '../../domain/message/notice-text';
import { topicOf } from '../../domain/message/notice-text';
import { topicKey } from '../../domain/topic';
import { readDeletable } from '../../read/upkeep/deletable';
import { newestInTopics } from '../../read/placement/newest-in-topics';
import { Deletions } from '../delete/deletions';
import type { Moved } from './move-executor';
import { Notices } from '../notices/notices';

/** Where the server is to say that messages were moved. */
export interface MoveNotices {
  readonly inOldTopic: boolean;
  readonly inNewTopic: boolean;
}

/** Whether a topic only changes letter cases of its name. */
const isRecased = ({ from, to }: Moved): boolean =>
  from.channelId === to.channelId && topicKey(from.name) === topicKey(to.name);

/** What belongs to a move beside the messages: what people chose for the topic, and what the server says of it. */
@Injectable()
export class AfterMoving {
  constructor(
    private readonly kernel: Kernel,
    private readonly channels: ChannelFacts,
    private readonly policies: TopicPolicies,
    private readonly automatic: AutomaticPolicies,
    private readonly readers: TopicReaders,
    private readonly notices: Notices,
    private readonly deletions: Deletions,
  ) {}

  /**
   * Follows contract/messages.md section 5.3.
   *
   * @param senderId of the message that somebody moved
   * @param wished notices that were asked for; none tells of a topic that is resolved together with another change
   */
  async follow(
    work: Work,
    moved: Moved,
    senderId: UserId,
    wished: MoveNotices & { readonly withText: boolean },
  ): Promise<void> {
    await this.carryPolicies(work, moved, senderId);
    if (!moved.onlyResolves) return this.tell(work, moved, wished);
    if (!wished.withText) await this.tellResolution(work, moved);
  }

  private async carryPolicies(work: Work, moved: Moved, senderId: UserId): Promise<void> {
    const { from, to, isWhole, targetExisted } = moved;
    if (isWhole) return this.policies.moved(work, { from, to, targetHadMessages: targetExisted });
    if (targetExisted) return;
    const readers = await this.readers.among(work, to.channelId, [senderId]);
    if (readers.has(senderId)) await this.automatic.tookPart(work, senderId, to, 'begun');
  }

  private async tell(work: Work, moved: Moved, { inNewTopic, inOldTopic }: MoveNotices): Promise<void> {
    const { from, to, arrived, stayed, messages, isWhole, targetExisted } = moved;
    const told = {
      by: await this.notices.actor(work),
      from: await this.link(work, from, stayed),
      to: await this.link(work, to, arrived),
      messages,
      isWhole,
      joinsOthers: targetExisted && !isRecased(moved),
    };
    if (inNewTopic) await this.notices.post(work, to.channelId, to.name, cameHere(told));
    if (inOldTopic) await this.notices.post(work, from.channelId, from.name, wentAway(told));
  }

  /** A second thought within a minute takes the first notice back instead of adding another. */
  private async tellResolution(work: Work, moved: Moved): Promise<void> {
    const { from, to, isWhole } = moved;
    const { pool } = this.kernel.database;
    const newest = isWhole ? await newestInTopics(pool, work.realmId, from) : null;
    const since = work.at - RESOLUTION_GRACE_SECONDS * 1000;
    if (newest?.about === 'resolution' && newest.sentAt > since) {
      const last = await readDeletable(pool, work.realmId, newest.id);
      if (last) return this.deletions.carryOut(work, [last]);
    }
    const text = resolutionChanged(await this.notices.actor(work), to.name);
    await this.notices.post(work, to.channelId, to.name, text, 'resolution');
  }

  private async link(
    { realmId }: Work,
    { channelId, name }: NamedPlace,
    messageId: MessageId | null,
  ): Promise<NoticeText> {
    const channel = await this.channels.byId(realmId, channelId);
    if (!channel) throw new Error(`channel ${channelId} holds a topic and does not exist`);
    return topicOf(channel, name, messageId);
  }
}
