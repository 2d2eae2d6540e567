import type { Channel } from '@annals/channels';
import type { ConflictReason, Undoer, Undone, Work } from '@annals/kernel';
import { Kernel, undoChanges, undoConflicts } from '@annals/kernel';
import type { MessageId, Recorded, TopicId } from '@annals/kernel/domain';
import { grouped } from '@annals/kernel/domain';
import type { RealmSettings } from '@annals/realm';
import { organization } from '@annals/realm';
import type { OrphanedPlace } from '@annals/users';
import { isOrphaned, userAggregate } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { mayDelete } from '../../domain/deletion';
import type { Place } from '../../domain/events';
import { MessagesDeleted, TopicEnded } from '../../domain/events';
import { fitsTopicsPolicy } from '../../domain/policies';
import { reject } from '../../domain/rejections';
import { topicAggregate } from '../../domain/topic';
import { ReadableChannels } from '../access/readable-channels';
import { deletionRules } from '../delete/delete-message';
import { postingChannel } from '../send/posting';
import type { Restorable } from './act-of-deletion';
import { ActsOfDeletions, topicOf } from './act-of-deletion';
import type { EndedTopic } from './restorations';
import { Restorations } from './restorations';
import { VisibleMessages } from './visible-messages';

type Obstacle = Extract<ConflictReason, 'deleted' | 'not_allowed'>;

/** A topic to which messages come back. */
interface Destination {
  readonly channel: Channel;
  readonly name: string;
}

/** Restores deleted messages whose texts are still in the log (contract/audit.md section 11). */
@Injectable()
export class UndoDeletion implements Undoer {
  readonly types = [MessagesDeleted.type, TopicEnded.type];

  constructor(
    private readonly kernel: Kernel,
    private readonly acts: ActsOfDeletions,
    private readonly channels: ReadableChannels,
    private readonly visible: VisibleMessages,
    private readonly restorations: Restorations,
  ) {}

  async undo(work: Work, event: Recorded): Promise<Undone> {
    const act = await this.acts.of(work, event);
    const ended = await this.endedTopics(work, act.places);
    const destinations = await this.destinations(work, act.places, ended);
    const all = [...act.restorable.map(({ id }) => id), ...act.changed, ...act.erased];
    const seen = await this.visible.among(work, all);
    if (seen.size === 0) throw reject.unknownMessage();
    const isSeen = (id: MessageId) => seen.has(id);
    const restorable = act.restorable.filter(({ id }) => isSeen(id));
    const byObstacle = await this.byObstacle(work, restorable, destinations);
    const back = byObstacle.get(null) ?? [];
    if (back.length > 0) await this.restorations.apply(work, back, ended);
    const change = { property: 'is_deleted', before: true, after: false };
    return {
      changes: undoChanges('message', idsOf(back), change),
      conflicts: undoConflicts('message', {
        changed: act.changed.filter(isSeen),
        erased: act.erased.filter(isSeen),
        deleted: idsOf(byObstacle.get('deleted')),
        not_allowed: idsOf(byObstacle.get('not_allowed')),
      }),
    };
  }

  /** The topics that ended, with their last names. */
  private async endedTopics(work: Work, places: readonly Place[]): Promise<ReadonlyMap<TopicId, EndedTopic>> {
    const ids = [...new Set(places.flatMap((place) => topicOf(place) ?? []))];
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
   * The topics of the places.
   *
   * @throws Rejected BAD_REQUEST for a channel or conversation that the actor cannot read, and for an archived channel
   */
  private async destinations(
    work: Work,
    places: readonly Place[],
    ended: ReadonlyMap<TopicId, EndedTopic>,
  ): Promise<ReadonlyMap<TopicId, Destination>> {
    const found = new Map<TopicId, Destination>();
    for (const place of places) {
      if ('userIds' in place) {
        if (!place.userIds.includes(work.actor.userId)) throw reject.unknownMessage();
        continue;
      }
      if (found.has(place.topicId)) continue;
      const topic = (await work.read(topicAggregate, place.topicId)) ?? ended.get(place.topicId);
      const channel = topic && (await this.channels.of(work, topic.channelId));
      if (!channel || channel.isArchived) throw reject.unknownMessage();
      found.set(place.topicId, { channel, name: topic.name ?? '' });
    }
    return found;
  }

  /** Messages by the reason why they do not come back; null for those that do. */
  private async byObstacle(
    work: Work,
    messages: readonly Restorable[],
    destinations: ReadonlyMap<TopicId, Destination>,
  ): Promise<ReadonlyMap<Obstacle | null, readonly Restorable[]>> {
    await work.readAll(userAggregate, [...new Set(messages.map(({ sent }) => sent.data.senderId))]);
    const obstacles = new Map<MessageId, Obstacle | null>();
    for (const message of messages) {
      const topicId = topicOf(message.place);
      const destination = topicId === null ? undefined : destinations.get(topicId);
      obstacles.set(message.id, await this.obstacle(work, message, destination));
    }
    return grouped(messages, ({ id }) => obstacles.get(id) ?? null);
  }

  /**
   * A user who may delete a message may restore it. The time limit for deletions does not count. What an account had deleted with
   * itself stays so: the append depends on the account.
   */
  private async obstacle(
    work: Work,
    { id, sent }: Restorable,
    destination: Destination | undefined,
  ): Promise<Obstacle | null> {
    const { senderId } = sent.data;
    const sender = await work.read(userAggregate, senderId);
    if (sender && isOrphaned(sender, id, kindOf(destination))) return 'deleted';
    const { settings } = await organization(work);
    if (destination && !fits(destination, settings)) return 'not_allowed';
    const rules = await deletionRules(work, destination?.channel.id ?? null, settings);
    const subject = { senderId, sentAt: sent.at };
    return mayDelete(subject, sender?.botOwnerId ?? null, work.actor, { ...rules, limitSeconds: null }, work.at).allowed
      ? null
      : 'not_allowed';
  }
}

const idsOf = (messages: readonly Restorable[] = []): readonly MessageId[] => messages.map(({ id }) => id);

const kindOf = (destination: Destination | undefined): OrphanedPlace =>
  destination === undefined ? 'direct' : destination.channel.inviteOnly ? 'inPrivateChannels' : 'inPublicChannels';

const fits = ({ channel, name }: Destination, settings: RealmSettings): boolean =>
  fitsTopicsPolicy(postingChannel(channel, settings).topicsPolicy, name).allowed;
