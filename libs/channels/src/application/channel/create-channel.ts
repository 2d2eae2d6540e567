import { UnitOfWork } from '@annals/kernel';
import type { Actor, ChannelId } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { ChannelInput } from '../../domain/channel/channel-input';
import { ChannelCreation } from './channel-creation';
import { ChannelNotices } from './channel-notices';
import { SubscriptionEffects } from '../subscription/subscription-effects';
import { SubscriberArgs } from '../subscription/subscriber-args';

/** Creates a channel and subscribes people to it (INTERFACE.md 4.6). */
export class CreateChannel extends Command<ChannelId> {
  constructor(
    readonly by: Actor,
    readonly input: ChannelInput,
    /** Ids as the request has them. */
    readonly subscribers: readonly number[],
    /** Whether the notification bot announces the new channel. */
    readonly announce: boolean,
  ) {
    super();
  }
}

@CommandHandler(CreateChannel)
export class CreateChannelHandler implements ICommandHandler<CreateChannel> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly creation: ChannelCreation,
    private readonly subscriptions: SubscriptionEffects,
    private readonly subscriberArgs: SubscriberArgs,
    private readonly notices: ChannelNotices,
  ) {}

  execute({ by, input, subscribers, announce }: CreateChannel): Promise<ChannelId> {
    return this.work.run(by, async (work) => {
      const channelId = await this.creation.create(work, input);
      const people = await this.subscriberArgs.active(work, subscribers);
      await this.subscriptions.subscribe(work, [{ channelId, people, color: null, isNew: true }]);
      await this.notices.created(work, [channelId], { announce });
      return channelId;
    });
  }
}
