import { ChannelFacts, administers, historyScope, memberKey, stillMember } from '@annals/channels';
import type { Channel } from '@annals/channels';
import { Conflict, Kernel } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { ChannelId, Instant, MessageId, TopicId } from '@annals/kernel/domain';
import type { RealmSettings } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import type { KnownTopic, MoveRequest, NamedPlace, TopicPortion } from '../../domain/move/move';
import { changesChannel, listedPart, idRangeOf } from '../../domain/move/move';
import type { MoveFacts, MoveRules, MovingChannel, TopicAge } from '../../domain/move/move-policies';
import { limitOf } from '../../domain/move/move-policies';
import { reject } from '../../domain/rejections';
import { topicAggregate } from '../../domain/topic';
import { sentSince } from '../../read/placement/sent-since';
import { TopicFacts } from '../../read/placement/topic-facts';
import type { FoundTopic, Reach } from '../../read/visibility/topic-shares';
import { countTopics, listMessages, wasThereFirst } from '../../read/visibility/topic-shares';
import { Posting, postingChannel } from '../send/posting';
import { ReadableChannels } from '../access/readable-channels';

/** A topic with the old name, and how many of its messages move. */
export type FoundTopicPortion = KnownTopic & FoundTopic;

/** The facts that a move is decided on, and the messages that it moves. */
export interface MoveContext {
  readonly move: MoveRequest;
  readonly facts: MoveFacts;
  readonly reach: Reach;
  readonly found: readonly FoundTopicPortion[];
  /** Topics with the new name. */
  readonly targets: readonly KnownTopic[];
}

/** Which of the messages that a move asks for move, and which the same append deletes before it. */
export type MovedPart = Pick<Reach, 'only' | 'without'>;

const ALL: MovedPart = { only: null, without: [] };

/** Loads the facts that a move is decided on; the append depends on all of them. */
@Injectable()
export class MoveContextLoader {
  constructor(
    private readonly kernel: Kernel,
    private readonly channels: ChannelFacts,
    private readonly readable: ReadableChannels,
    private readonly topics: TopicFacts,
    private readonly posting: Posting,
  ) {}

  /** @throws Rejected BAD_REQUEST when the actor cannot read the target channel, or when it is archived */
  async of(
    work: Work,
    move: MoveRequest,
    sentAt: Instant,
    settings: RealmSettings,
    part: MovedPart = ALL,
  ): Promise<MoveContext> {
    const origin = await this.channel(work, move.from.channelId);
    const target = changesChannel(move) ? await this.channel(work, move.to.channelId) : origin;
    if (target.isArchived) throw reject.targetArchived();
    const rules = rulesOf(settings);
    const origins = await this.named(work, move.from);
    const targets = await this.named(work, move.to);
    const topicIds = origins.map(({ topic }) => topic.id);
    const reach = { ...idRangeOf(move), ...part, topicIds, allVisible: await this.seesAll(work, origin, topicIds) };
    const found = await this.count(work, reach, origins, limitOf(move, work.actor, rules));
    const facts = {
      rules,
      origin: movingChannel(origin, work, settings),
      target: movingChannel(target, work, settings),
      poster: await this.posting.poster(work.actor, target),
      targetExists: targets.length > 0,
      sentAt,
      age: ageOf(found),
    };
    return { move, facts, reach, found, targets };
  }

  /**
   * The part of each topic that moves, with the ids that its event names.
   *
   * @throws Conflict when some of the messages were deleted or moved meanwhile
   */
  async portions(work: Work, { found, reach }: MoveContext): Promise<TopicPortion[]> {
    const portions: TopicPortion[] = [];
    for (const one of found) {
      const which = listedPart(one);
      const own = { ...reach, topicIds: [one.topicId] };
      const { pool } = this.kernel.database;
      const listed = which === 'none' ? [] : await listMessages(pool, work.actor, own, which);
      const counted = { going: one.going, staying: one.total - one.going, none: 0 }[which];
      if (listed.length < counted) throw new Conflict('messages were deleted or moved meanwhile');
      portions.push({ ...one, listed });
    }
    return portions;
  }

  /** Those of some messages that move: the actor sees them. */
  async going(work: Work, { reach }: MoveContext, ids: readonly MessageId[]): Promise<readonly MessageId[]> {
    return reach.allVisible ? ids : listMessages(this.kernel.database.pool, work.actor, reach, 'going');
  }

  private async channel(work: Work, id: ChannelId): Promise<Channel> {
    const channel = await this.readable.of(work, id);
    if (!channel) throw reject.unknownChannel();
    return channel;
  }

  /** Where history is protected, users who were subscribed before the first message see all of them. */
  private async seesAll(work: Work, origin: Channel, topicIds: readonly TopicId[]): Promise<boolean> {
    const { actor } = work;
    const isSubscribed = (await this.channels.subscribedBy(work.realmId, actor.userId)).has(origin.id);
    const scope = historyScope(origin, actor, isSubscribed);
    if (scope !== 'received' || !isSubscribed) return scope === 'all';
    if (!(await wasThereFirst(this.kernel.database.pool, actor, origin.id, topicIds))) return false;
    work.guard(stillMember, memberKey(origin.id, actor.userId));
    return true;
  }

  /** The topics with a name. A topic that was renamed or moved since the lookup is a conflict. */
  private async named(work: Work, { channelId, name }: NamedPlace): Promise<KnownTopic[]> {
    const known: KnownTopic[] = [];
    for (const one of await this.topics.named(work.realmId, channelId, name)) {
      const topic = await work.read(topicAggregate, one.id);
      if (topic?.channelId !== channelId || (topic.name ?? one.name) !== one.name) {
        throw new Conflict('a topic was moved meanwhile', topicAggregate.stream(one.id));
      }
      known.push({ topic, name: one.name });
    }
    return known;
  }

  private async count(work: Work, reach: Reach, origins: readonly KnownTopic[], limit: number | null) {
    const { database, fence } = this.kernel;
    const oldest = (work.at - (limit ?? 0) * 1000) as Instant;
    const since =
      limit === null ? 0 : await sentSince(database.pool, work.realmId, await fence.reach(work.realmId), oldest);
    const found = await countTopics(database.pool, work.actor, reach, since);
    if (!found.some(({ holds }) => holds)) throw new Conflict('the message was moved meanwhile');
    return found.flatMap((one): FoundTopicPortion[] => {
      const known = origins.find(({ topic }) => topic.id === one.topicId);
      return known ? [{ ...one, ...known }] : [];
    });
  }
}

const rulesOf = (settings: RealmSettings): MoveRules => ({
  canMoveBetweenTopics: settings.can_move_messages_between_topics_group,
  canMoveBetweenChannels: settings.can_move_messages_between_channels_group,
  canResolveTopics: settings.can_resolve_topics_group,
  betweenTopicsSeconds: settings.move_messages_within_stream_limit_seconds,
  betweenChannelsSeconds: settings.move_messages_between_streams_limit_seconds,
});

const movingChannel = (channel: Channel, { actor }: Work, settings: RealmSettings): MovingChannel => ({
  ...postingChannel(channel, settings),
  canMoveWithin: channel.settings.can_move_messages_within_channel_group,
  canMoveOut: channel.settings.can_move_messages_out_of_channel_group,
  canResolve: channel.settings.can_resolve_topics_group,
  isAdministered: administers(channel, actor),
});

/** For users who move messages, names that differ in letter case only are one topic. */
function ageOf(found: readonly FoundTopic[]): TopicAge {
  const first = found.flatMap(({ firstYoung }) => firstYoung ?? []);
  return {
    total: found.reduce((sum, { visible }) => sum + visible, 0),
    movable: found.reduce((sum, { young }) => sum + young, 0),
    firstMovable: first.length === 0 ? null : first.reduce((a, b) => (a < b ? a : b)),
  };
}
