import type { Channel } from '@annals/channels';
import type { ConflictReason, Undoer, Undone, Work } from '@annals/kernel';
import { Kernel, undoChanges, undoConflicts } from '@annals/kernel';
import type { MessageId, Recorded, TopicId, Verdict } from '@annals/kernel/domain';
import { grouped } from '@annals/kernel/domain';
import type { RealmSettings } from '@annals/realm';
import { organization } from '@annals/realm';
import type { OrphanedPlace } from '@annals/users';
import { isOrphaned, userAggregate } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { mayRestore } from '../../domain/deletion';
import type { Place } from '../../domain/events';
import { MessagesDeleted, TopicEnded } from '../../domain/events';
import { fitsTopicsPolicy, mayPost } from '../../domain/policies';
import { reject } from '../../domain/rejections';
import { topicAggregate } from '../../domain/topic';
import { ReadableChannels } from '../access/readable-channels';
import { deletionRules } from '../delete/delete-message';
import { DirectMessages } from '../send/direct-messages';
import { Posting, postingChannel } from '../send/posting';
import type { Restorable } from './act-of-deletion';
import { ActsOfDeletions, topicOf } from './act-of-deletion';
import type { EndedTopic } from './restorations';
import { Restorations } from './restorations';
import { VisibleMessages } from './visible-messages';

type Obstacle = Extract<ConflictReason, 'deleted' | 'not_allowed'>;

/** The place to which messages come back. Null for a conversation. */
type Destination = {
  readonly channel: Channel;
  /** Of the topic. */
  readonly name: string;
  /** Whether the topic is there. A new one takes the place of one that ended. */
  readonly exists: boolean;
} | null;

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
    private readonly posting: Posting,
    private readonly directMessages: DirectMessages,
  ) {}

  async undo(work: Work, event: Recorded): Promise<Undone> {
    const act = await this.acts.of(work, event);
    const places = [...new Map([...act.placeOf.values()].map((place) => [keyOf(place), place])).values()];
    const ended = await this.endedTopics(work, places);
    const destinations = await this.destinations(work, places, ended);
    const inReach = [...act.placeOf].flatMap(([id, place]) => (destinations.has(keyOf(place)) ? id : []));
    const seen = await this.visible.among(work, inReach);
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

  /** The places that the actor can read. What was deleted from others stays as it is, as does an archived channel. */
  private async destinations(
    work: Work,
    places: readonly Place[],
    ended: ReadonlyMap<TopicId, EndedTopic>,
  ): Promise<ReadonlyMap<string, Destination>> {
    const found = new Map<string, Destination>();
    for (const place of places) {
      if ('userIds' in place) {
        if (place.userIds.includes(work.actor.userId)) found.set(keyOf(place), null);
        continue;
      }
      const present = await work.read(topicAggregate, place.topicId);
      const topic = present ?? ended.get(place.topicId);
      const channel = topic && (await this.channels.of(work, topic.channelId));
      if (!channel || channel.isArchived) continue;
      found.set(keyOf(place), { channel, name: topic.name ?? '', exists: present !== null });
    }
    return found;
  }

  /** Messages by the reason why they do not come back; null for those that do. */
  private async byObstacle(
    work: Work,
    messages: readonly Restorable[],
    destinations: ReadonlyMap<string, Destination>,
  ): Promise<ReadonlyMap<Obstacle | null, readonly Restorable[]>> {
    await work.readAll(userAggregate, [...new Set(messages.map(({ sent }) => sent.data.senderId))]);
    const obstacles = new Map<MessageId, Obstacle | null>();
    for (const message of messages) {
      const destination = destinations.get(keyOf(message.place)) ?? null;
      obstacles.set(message.id, await this.obstacle(work, message, destination));
    }
    return grouped(messages, ({ id }) => obstacles.get(id) ?? null);
  }

  /** What an account had deleted with itself stays so: the append depends on the account. */
  private async obstacle(work: Work, { id, place, sent }: Restorable, to: Destination): Promise<Obstacle | null> {
    const { senderId } = sent.data;
    const sender = await work.read(userAggregate, senderId);
    if (sender && isOrphaned(sender, id, kindOf(to))) return 'deleted';
    const { settings } = await organization(work);
    if (to && !fits(to, settings)) return 'not_allowed';
    const rules = await deletionRules(work, to?.channel.id ?? null, settings);
    const message = { senderId, sentAt: sent.at };
    const maySend = () => this.maySend(work, place, to);
    const verdict = await mayRestore(message, sender?.botOwnerId ?? null, work.actor, rules, maySend);
    return verdict.allowed ? null : 'not_allowed';
  }

  private async maySend(work: Work, place: Place, to: Destination): Promise<Verdict> {
    const realm = await organization(work);
    if (to) {
      return mayPost(postingChannel(to.channel, realm.settings), await this.posting.poster(work.actor, to.channel), to);
    }
    return this.directMessages.mayContinue(work, 'userIds' in place ? place.userIds : [], realm);
  }
}

const keyOf = (place: Place): string =>
  'topicId' in place ? `topic:${place.topicId}` : `conversation:${place.conversationId}`;

const idsOf = (messages: readonly Restorable[] = []): readonly MessageId[] => messages.map(({ id }) => id);

const kindOf = (destination: Destination): OrphanedPlace =>
  destination === null ? 'direct' : destination.channel.inviteOnly ? 'inPrivateChannels' : 'inPublicChannels';

const fits = ({ channel, name }: NonNullable<Destination>, settings: RealmSettings): boolean =>
  fitsTopicsPolicy(postingChannel(channel, settings).topicsPolicy, name).allowed;
