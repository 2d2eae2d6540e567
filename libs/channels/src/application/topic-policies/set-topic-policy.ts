import { UnitOfWork } from '@annals/kernel';
import type { Work } from '@annals/kernel';
import type { Actor, ChannelId } from '@annals/kernel/domain';
import { EMPTY_TOPIC_DISPLAY_NAME } from '@annals/realm';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { channelAggregate } from '../../domain/channel/channel';
import type { Channel } from '../../domain/channel/channel';
import { seesContent } from '../../domain/channel/access';
import { reject } from '../../domain/rejections';
import { POLICIES } from '../../domain/topic-policies/topic-policies';
import type { TopicPolicy } from '../../domain/topic-policies/topic-policy-events';
import { ChannelFacts } from '../../read/channel/channel-facts';
import { memberKey, stillMember } from '../guards';
import { TopicPolicies } from './topic-policies';

/**
 * Sets the visibility policy of a topic for the actor. The topic need not have messages (contract/messages.md section
 * 10).
 */
export class SetTopicPolicy extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly channel: number | string,
    /** As it was written, trimmed. */
    readonly topic: string,
    readonly policy: TopicPolicy,
    /** The older endpoint requires that the actor is subscribed, also for unmuting (INTERFACE.md 4.7). */
    readonly forSubscribers: boolean,
  ) {
    super();
  }
}

@CommandHandler(SetTopicPolicy)
export class SetTopicPolicyHandler implements ICommandHandler<SetTopicPolicy> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly channels: ChannelFacts,
    private readonly policies: TopicPolicies,
  ) {}

  async execute(command: SetTopicPolicy): Promise<void> {
    const { by, topic, policy } = command;
    await this.work.run(by, async (work) => {
      const { id: channelId } = await this.channel(work, command);
      const name = topic === EMPTY_TOPIC_DISPLAY_NAME ? '' : topic;
      await this.policies.change(work, { channelId, name }, [work.actor.userId], () => policy);
    });
  }

  /**
   * To remove a policy, the channel must only exist.
   *
   * @throws Rejected BAD_REQUEST, the same for a channel that does not exist and for one for which the actor may not do
   *   this
   */
  private async channel(work: Work, { channel: named, policy, forSubscribers }: SetTopicPolicy): Promise<Channel> {
    const { actor, realmId } = work;
    const id = typeof named === 'number' ? (named as ChannelId) : (await this.channels.byName(realmId, named))?.id;
    const channel = id === undefined ? null : await work.read(channelAggregate, id);
    if (!channel) throw reject.unknownChannel();
    const needs = forSubscribers ? 'membership' : policy === POLICIES.inherit ? 'nothing' : 'content';
    if (needs === 'nothing' || (needs === 'content' && seesContent(channel, actor, false))) return channel;
    const own = await this.channels.subscribedBy(realmId, actor.userId);
    if (!own.has(channel.id)) throw reject.unknownChannel();
    work.guard(stillMember, memberKey(channel.id, actor.userId));
    return channel;
  }
}
