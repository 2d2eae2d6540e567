import type { Undoer, Undone, Work } from '@annals/kernel';
import { Kernel, feedReader, undoChanges, undoConflicts } from '@annals/kernel';
import type { ChannelId, Position, Recorded, TopicId } from '@annals/kernel/domain';
import { organization } from '@annals/realm';
import { UserFacts } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { mayDelete } from '../../domain/deletion';
import { MessagesDeleted, TopicEnded } from '../../domain/events';
import { fitsTopicsPolicy } from '../../domain/policies';
import { reject } from '../../domain/rejections';
import { topicAggregate } from '../../domain/topic';
import { readProtectedHistoryAccess } from '../../read/history/protected-history-access';
import { ReadableChannels } from '../access/readable-channels';
import { deletionRules } from '../delete/delete-message';
import { postingChannel } from '../send/posting';
import type { Restorable } from './act-of-deletion';
import { ActsOfDeletions, topicOf } from './act-of-deletion';
import type { EndedTopic } from './restorations';
import { Restorations } from './restorations';

/** Restores deleted messages whose texts are still in the log (contract/audit.md section 11). */
@Injectable()
export class UndoDeletion implements Undoer {
  readonly types = [MessagesDeleted.type, TopicEnded.type];

  constructor(
    private readonly kernel: Kernel,
    private readonly acts: ActsOfDeletions,
    private readonly channels: ReadableChannels,
    private readonly users: UserFacts,
    private readonly restorations: Restorations,
  ) {}

  async undo(work: Work, event: Recorded): Promise<Undone> {
    const { restorable, changed, erased } = await this.acts.of(work, event);
    const ended = await this.endedTopics(work, restorable);
    const allowed: Restorable[] = [];
    for (const message of restorable) if (await this.mayRestore(work, message, ended)) allowed.push(message);
    if (allowed.length > 0) await this.restorations.apply(work, allowed, ended);
    const ids = allowed.map(({ id }) => id);
    const notAllowed = restorable.map(({ id }) => id).filter((id) => !ids.includes(id));
    return {
      changes: undoChanges('message', ids, { property: 'is_deleted', before: true, after: false }),
      conflicts: undoConflicts('message', { changed, erased, not_allowed: notAllowed }),
    };
  }

  /** The topics that ended, with their last names. */
  private async endedTopics(work: Work, messages: readonly Restorable[]): Promise<ReadonlyMap<TopicId, EndedTopic>> {
    const ids = [...new Set(messages.flatMap(({ place }) => topicOf(place) ?? []))];
    const topics = await work.readAll(topicAggregate, ids);
    const gone = ids.filter((_, n) => topics[n] === null);
    const streams = await this.kernel.events.streams(
      work.realmId,
      gone.map((id) => topicAggregate.stream(id)),
    );
    const ends = [...streams.values()].flatMap((events) => (events.at(-1) as Recorded<TopicEnded> | undefined) ?? []);
    return new Map(
      ends.map(({ data: { topicId: id, channelId }, sealed }) => [
        id,
        { id, channelId, name: sealed === 'erased' ? `topic ${id}` : sealed.name },
      ]),
    );
  }

  /**
   * Who could read a message and may delete it may restore it. The time limit for deletions does not count.
   *
   * @throws Rejected BAD_REQUEST for a channel that the actor cannot read, and for an archived one
   */
  private async mayRestore(work: Work, message: Restorable, ended: ReadonlyMap<TopicId, EndedTopic>): Promise<boolean> {
    const { place, sent } = message;
    const { settings } = await organization(work);
    const topicId = topicOf(place);
    const topic = topicId === null ? null : ((await work.read(topicAggregate, topicId)) ?? ended.get(topicId));
    if (topic && !(await this.isReadable(work, message, topic))) return false;
    if ('userIds' in place && !place.userIds.includes(work.actor.userId)) throw reject.unknownMessage();
    const sender = await this.users.account(work.realmId, sent.data.senderId);
    const subject = { senderId: sent.data.senderId, sentAt: sent.at };
    const rules = await deletionRules(work, topic?.channelId ?? null, settings);
    return mayDelete(subject, sender?.botOwnerId ?? null, work.actor, { ...rules, limitSeconds: null }, work.at)
      .allowed;
  }

  private async isReadable(
    work: Work,
    { id, arrived }: Restorable,
    { channelId, name }: { readonly channelId: ChannelId; readonly name: string | null },
  ): Promise<boolean> {
    const { settings } = await organization(work);
    const channel = await this.channels.of(work, channelId);
    if (!channel || channel.isArchived) throw reject.unknownMessage();
    if (!fitsTopicsPolicy(postingChannel(channel, settings).topicsPolicy, name ?? '').allowed) return false;
    if (channel.historyPublicToSubscribers) return true;
    return this.hadArrived(work, { id, channelId, arrived });
  }

  private hadArrived(
    work: Work,
    message: { readonly id: Restorable['id']; readonly channelId: ChannelId; readonly arrived: Position },
  ): Promise<boolean> {
    const { userId } = work.actor;
    return this.kernel.database.snapshot(async (client) => {
      const reader = feedReader(this.kernel.events, work.realmId, client);
      const asked = { messageIds: [message.id], channelId: message.channelId, arrived: [message.arrived] };
      return (await readProtectedHistoryAccess(reader, [asked], [userId]))(userId, message);
    });
  }
}
