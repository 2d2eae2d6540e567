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
import { sentTopic, topicAggregate } from '../../domain/topic';
import type { NamedTopic } from '../../read/placement/topic-facts';
import { TopicFacts } from '../../read/placement/topic-facts';
import { oldestInChannel, topicEmptied } from '../access/guards';
import type { MessageTarget } from './open-message';
import { registeredTopic } from './open-message';

/** A topic the actor may post to; it may not exist yet. */
export interface ChannelTarget {
  readonly channelId: ChannelId;
  /** As topics are stored. */
  readonly name: string;
  /** All topics with this name in any letter case; none if it is new. */
  readonly topicsWithName: readonly NamedTopic[];
}

/** Finds the target of a channel message within a unit of work. Everything but new topics is read from caches. */
@Injectable()
export class Posting {
  constructor(
    private readonly kernel: Kernel,
    private readonly channels: ChannelFacts,
    private readonly topics: TopicFacts,
    private readonly users: UserFacts,
    private readonly actors: ActorReader,
    private readonly dormant: DormantChannels,
  ) {}

  /**
   * A channel and topic that the actor may post to. Nothing is written; `target` makes it the target of a message.
   *
   * @throws Rejected in the order of contract/messages.md section 3
   */
  async place(
    work: Work,
    to: { channel: number | string; topic: string },
    settings: RealmSettings,
  ): Promise<ChannelTarget> {
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
   * The topic's name as a message to the channel has it; permissions are not checked.
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
   * The target of a notice; no permission is checked.
   *
   * @param name as topics are stored
   */
  async noticeTarget(work: Work, channelId: ChannelId, name: string): Promise<MessageTarget> {
    return this.target(work, { channelId, name, topicsWithName: await this.topicsWithName(work, channelId, name) });
  }

  /**
   * Checks that a user may send to some topic of a channel.
   *
   * @throws Rejected BAD_REQUEST, also for a channel that they cannot see
   */
  async ensureMayType(by: Actor, id: ChannelId, settings: RealmSettings): Promise<void> {
    const channel = await this.channels.byId(by.realmId, id);
    if (!channel) throw reject.unknownChannel();
    ensure(mayType(postingChannel(channel, settings), await this.poster(by, channel)));
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

  /** The facts of a user and a channel that the posting rules need. */
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
   * The topics with a name, without those with exactly this name that were moved since the lookup, for example by this unit of
   * work. The append depends on those with exactly this name. There may be several: two users started one at once, or one was
   * moved.
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
   * Each letter case of a name is a topic of its own, so that messages show the name with which they were sent. Readers
   * see one topic. Two users who start a topic at once start two with one name.
   */
  async target(work: Work, { channelId, name, topicsWithName }: ChannelTarget): Promise<MessageTarget> {
    await this.dormant.wake(work, channelId);
    const known = topicsWithName.find((topic) => topic.name === name)?.id ?? registeredTopic(work, channelId, name);
    if (known !== undefined) {
      work.changesGuard(topicEmptied, known);
      return { kind: 'existing', place: { channelId, topicId: known } };
    }
    if (name !== '') work.changesGuard(noNamedTopics, channelId);
    work.changesGuard(oldestInChannel, channelId);
    const topicId = await this.kernel.ids.next(work.realmId, 'topic');
    return { kind: 'new topic', topic: { topicId, channelId, name } };
  }
}

/** A channel as the posting rules need it. */
export const postingChannel = (channel: Channel, settings: RealmSettings): PostingChannel => ({
  inviteOnly: channel.inviteOnly,
  isWebPublic: channel.isWebPublic,
  historyPublicToSubscribers: channel.historyPublicToSubscribers,
  isArchived: channel.isArchived,
  topicsPolicy: channel.topicsPolicy === 'inherit' ? settings.topics_policy : channel.topicsPolicy,
  canSend: channel.settings.can_send_message_group,
  canCreateTopic: channel.settings.can_create_topic_group,
});
