import { AutomaticPolicies, ChannelFacts, TopicPolicies, TopicReaders } from '@annals/channels';
import { Kernel } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { MessageId, UserId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { NamedPlace } from '../../domain/move/move';
import {
  RESOLUTION_GRACE_SECONDS,
  movedHereNotice,
  resolutionNotice,
  movedAwayNotice,
} from '../../domain/move/move-notice';
import type { NoticeText } from '../../domain/message/notice-text';
import { topicOf } from '../../domain/message/notice-text';
import { topicKey } from '../../domain/topic';
import { readDeletable } from '../../read/upkeep/deletable';
import { readResolutionReaders } from '../../read/unread/resolution-readers';
import { newestInTopics } from '../../read/placement/newest-in-topics';
import { Deletions } from '../delete/deletions';
import type { MoveResult } from './move-executor';
import { Notices } from '../notices/notices';

/** The places in which the notification bot reports a move. */
export interface MoveNotices {
  readonly inOldTopic: boolean;
  readonly inNewTopic: boolean;
}

/** Whether only letter cases of the topic's name change. */
const isRecased = ({ from, to }: MoveResult): boolean =>
  from.channelId === to.channelId && topicKey(from.name) === topicKey(to.name);

/** The consequences of a move beside the messages: visibility policies of the topic, and notices. */
@Injectable()
export class MoveFollowUps {
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
   * @param requested notices; a topic that is resolved together with an edit gets none
   */
  async run(
    work: Work,
    result: MoveResult,
    senderId: UserId,
    requested: MoveNotices & { readonly withText: boolean },
  ): Promise<void> {
    await this.carryPolicies(work, result, senderId);
    if (!result.onlyResolves) return this.report(work, result, requested);
    if (!requested.withText) await this.reportResolution(work, result);
  }

  private async carryPolicies(work: Work, result: MoveResult, senderId: UserId): Promise<void> {
    const { from, to, isWhole, targetExisted } = result;
    if (isWhole) return this.policies.moved(work, { from, to, targetHadMessages: targetExisted });
    if (targetExisted) return;
    const readers = await this.readers.among(work, to.channelId, [senderId]);
    if (readers.has(senderId)) await this.automatic.tookPart(work, senderId, to, 'begun');
  }

  private async report(work: Work, result: MoveResult, { inNewTopic, inOldTopic }: MoveNotices): Promise<void> {
    const { from, to, arrived, stayed, messages, isWhole, targetExisted } = result;
    const move = {
      by: await this.notices.actor(work),
      from: await this.link(work, from, stayed),
      to: await this.link(work, to, arrived),
      messages,
      isWhole,
      joinsOthers: targetExisted && !isRecased(result),
    };
    if (inNewTopic) await this.notices.post(work, to.channelId, to.name, movedHereNotice(move));
    if (inOldTopic) await this.notices.post(work, from.channelId, from.name, movedAwayNotice(move));
  }

  /** Undoing it within a minute deletes the first notice instead of adding another. */
  private async reportResolution(work: Work, result: MoveResult): Promise<void> {
    const { from, to, isWhole } = result;
    const { pool } = this.kernel.database;
    const newest = isWhole ? await newestInTopics(pool, work.realmId, from) : null;
    const since = work.at - RESOLUTION_GRACE_SECONDS * 1000;
    if (newest?.about === 'resolution' && newest.sentAt > since) {
      const last = await readDeletable(pool, work.realmId, newest.id);
      if (last) return this.deletions.apply(work, [last]);
    }
    const text = resolutionNotice(await this.notices.actor(work), to.name);
    const unreadFor = await readResolutionReaders(pool, work.realmId, to.channelId, [from.name, to.name].map(topicKey));
    await this.notices.post(work, to.channelId, to.name, text, { about: 'resolution', unreadFor });
  }

  private async link(
    { realmId }: Work,
    { channelId, name }: NamedPlace,
    messageId: MessageId | null,
  ): Promise<NoticeText> {
    const channel = await this.channels.byId(realmId, channelId);
    if (!channel) throw new Error(`channel ${channelId} has a topic and does not exist`);
    return topicOf(channel, name, messageId);
  }
}
