import {
  ChannelFacts,
  DormantChannels,
  channelAggregate,
  memberKey,
  noNamedTopics,
  seesContent,
  stillMember,
} from '@annals/channels';
import type { Channel } from '@annals/channels';
import { ActorReader } from '@annals/groups';
import { Kernel } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { Actor, ChannelId, TopicId } from '@annals/kernel/domain';
import { ensure } from '@annals/kernel/domain';
import type { RealmSettings } from '@annals/realm';
import { EMPTY_TOPIC_DISPLAY_NAME } from '@annals/realm';
import { UserFacts } from '@annals/users';
import { Injectable } from '@nestjs/common';
import type { Poster, PostingChannel } from '../../domain/policies';
import { fitsTopicsPolicy, accessGrantOf, mayPost, mayType } from '../../domain/policies';
import { reject } from '../../domain/rejections';
import { sentTopic, startTopic, topicAggregate } from '../../domain/topic';
import type { NamedTopic } from '../../read/placement/topic-facts';
import { TopicFacts } from '../../read/placement/topic-facts';
import { oldestInChannel, topicEmptied } from '../access/guards';

/** A topic that somebody may post in, be there one or not. */
export interface PostingTarget {
  readonly channelId: ChannelId;
  /** As topics are stored. */
  readonly name: string;
  /** All topics of this name; none for a new one. */
  readonly topicsWithName: readonly NamedTopic[];
}

/** Finds the place of a channel message within a unit of work; everything it asks is cached, except for new topics. */
@Injectable()
export class Posting {
  /** Topics that a unit of work has begun or brought there, by channel and name. */
  private readonly brought = new WeakMap<Work, Map<string, TopicId>>();

  constructor(
    private readonly kernel: Kernel,
    private readonly channels: ChannelFacts,
    private readonly topics: TopicFacts,
    private readonly users: UserFacts,
    private readonly actors: ActorReader,
    private readonly dormant: DormantChannels,
  ) {}

  /**
   * Where somebody may post; nothing is written yet, `topic` makes it a topic.
   *
   * @throws Rejected in the order of contract/messages.md section 3
   */
  async place(
    work: Work,
    to: { channel: number | string; topic: string },
    settings: RealmSettings,
  ): Promise<PostingTarget> {
    const channel = await this.channel(work, to.channel);
    const name = sentTopic(to.topic, EMPTY_TOPIC_DISPLAY_NAME);
    const topicsWithName = await this.topicsWithName(work, channel.id, name);
    const posting = postingChannel(channel, settings);
    const poster = await this.poster(work.actor, channel);
    ensure(mayPost(posting, poster, { name, exists: topicsWithName.length > 0 }));
    const grant = accessGrantOf(posting, poster);
    if (grant?.kind === 'membership') work.guard(stillMember, memberKey(channel.id, grant.of));
    return { channelId: channel.id, name, topicsWithName };
  }

  /**
   * A topic's name as a message to the channel would have it, whoever may post there.
   *
   * @throws Rejected BAD_REQUEST for one that the channel's topics policy refuses
   */
  async topicName(work: Work, id: ChannelId, written: string, settings: RealmSettings): Promise<string> {
    const channel = await work.read(channelAggregate, id);
    const name = sentTopic(written, EMPTY_TOPIC_DISPLAY_NAME);
    if (channel) ensure(fitsTopicsPolicy(postingChannel(channel, settings).topicsPolicy, name));
    return name;
  }

  /**
   * The place of what the server itself says: nobody's rights are asked. As with `topic`, the message must be the next
   * event of the append.
   *
   * @param name as topics are stored
   */
  async noticePlace(
    work: Work,
    channelId: ChannelId,
    name: string,
  ): Promise<{ channelId: ChannelId; topicId: TopicId }> {
    const topicsWithName = await this.topicsWithName(work, channelId, name);
    return { channelId, topicId: await this.topic(work, { channelId, name, topicsWithName }) };
  }

  /**
   * Asks whether somebody could send to a channel, to whichever topic.
   *
   * @throws Rejected BAD_REQUEST; a channel that they do not see is not there
   */
  async ensureMayType(by: Actor, id: ChannelId, settings: RealmSettings): Promise<void> {
    const channel = await this.channels.byId(by.realmId, id);
    if (!channel) throw reject.unknownChannel();
    ensure(mayType(postingChannel(channel, settings), await this.poster(by, channel)));
  }

  /** The unit of work has brought a topic there: what it posts under that name is in it. @param name as topics are stored */
  brings(work: Work, { channelId, name }: { channelId: ChannelId; name: string }, id: TopicId): void {
    const brought = this.brought.get(work) ?? new Map<string, TopicId>();
    this.brought.set(work, brought.set(`${channelId} ${name}`, id));
  }

  private async channel(work: Work, named: number | string): Promise<Channel> {
    if (typeof named === 'number') {
      const channel = await work.read(channelAggregate, named as ChannelId);
      if (!channel) throw reject.noSuchChannelId({ stream_id: named });
      return channel;
    }
    const row = await this.channels.byName(work.realmId, named);
    const channel = row && (await work.read(channelAggregate, row.id));
    if (!channel) throw reject.noSuchChannelName({ stream: named });
    return channel;
  }

  /** What the rules about posting ask of somebody, in relation to a channel. */
  async poster(sender: Actor, channel: Channel): Promise<Poster> {
    const own = await this.channels.subscribedBy(sender.realmId, sender.userId);
    return {
      sender,
      isSubscribed: own.has(channel.id),
      readsByGroup: seesContent(channel, sender, false),
      owner: await this.owner(sender, channel.id),
    };
  }

  private async owner({ realmId, botOwnerId, origin }: Actor, channel: ChannelId): Promise<Poster['owner']> {
    const account = botOwnerId === null ? undefined : await this.users.account(realmId, botOwnerId);
    if (!account?.isActive) return null;
    const own = await this.channels.subscribedBy(realmId, account.userId);
    return { ...(await this.actors.actor(realmId, account.userId, origin)), isSubscribed: own.has(channel) };
  }

  /**
   * The topics of a name, without those of exactly this name that have been moved meanwhile, by this very unit of work for
   * instance. The append rests on those of exactly this name: several were begun at once, or became one.
   */
  private async topicsWithName(work: Work, channel: ChannelId, name: string): Promise<readonly NamedTopic[]> {
    const named = await this.topics.named(work.realmId, channel, name);
    const gone = new Set<TopicId>();
    for (const { id } of named.filter((topic) => topic.name === name)) {
      const now = await work.read(topicAggregate, id);
      if (now?.channelId !== channel || (now.name ?? name) !== name) gone.add(id);
    }
    return gone.size === 0 ? named : named.filter(({ id }) => !gone.has(id));
  }

  /**
   * Each letter case of a name is a topic of its own, so that messages show the one they were sent with; for readers
   * they are one. Two who begin one at once begin two of one name. A new one is begun, so the message must be the next
   * event of the append.
   */
  async topic(work: Work, { channelId: channel, name, topicsWithName }: PostingTarget): Promise<TopicId> {
    await this.dormant.wake(work, channel);
    const known = topicsWithName.find((topic) => topic.name === name);
    if (known) {
      work.changesGuard(topicEmptied, known.id);
      return known.id;
    }
    const earlier = this.brought.get(work)?.get(`${channel} ${name}`);
    if (earlier !== undefined) {
      work.changesGuard(topicEmptied, earlier);
      return earlier;
    }
    const id = await this.kernel.ids.next(work.realmId, 'topic');
    if (name !== '') work.changesGuard(noNamedTopics, channel);
    work.changesGuard(oldestInChannel, channel);
    work.append(topicAggregate.stream(id), [startTopic(id, channel, name)]);
    this.brings(work, { channelId: channel, name }, id);
    return id;
  }
}

/** A channel as the rules about posting need it. */
export const postingChannel = (channel: Channel, settings: RealmSettings): PostingChannel => ({
  inviteOnly: channel.inviteOnly,
  isWebPublic: channel.isWebPublic,
  historyPublicToSubscribers: channel.historyPublicToSubscribers,
  isArchived: channel.isArchived,
  topicsPolicy: channel.topicsPolicy === 'inherit' ? settings.topics_policy : channel.topicsPolicy,
  canSend: channel.settings.can_send_message_group,
  canCreateTopic: channel.settings.can_create_topic_group,
});
