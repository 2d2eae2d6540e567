import { UnitOfWork } from '@annals/kernel';
import type { Actor, ChannelId } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { ChannelWish } from '../../domain/channel/channel-input';
import { ChannelCreation } from './channel-creation';
import { ChannelNotices } from './channel-notices';
import { Joinings } from '../subscription/subscription-effects';
import { Principals } from '../subscription/subscriber-args';

/** Creates a channel and subscribes people to it (INTERFACE.md 4.6). */
export class CreateChannel extends Command<ChannelId> {
  constructor(
    readonly by: Actor,
    readonly wish: ChannelWish,
    /** Ids as the caller sent them. */
    readonly subscribers: readonly number[],
    /** Whether the new channel is to be announced. */
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
    private readonly joinings: Joinings,
    private readonly principals: Principals,
    private readonly notices: ChannelNotices,
  ) {}

  execute({ by, wish, subscribers, announce }: CreateChannel): Promise<ChannelId> {
    return this.work.run(by, async (work) => {
      const channelId = await this.creation.create(work, wish);
      const people = await this.principals.active(work, subscribers);
      await this.joinings.join(work, [{ channelId, people, color: null, isNew: true }]);
      await this.notices.created(work, [channelId], { announce });
      return channelId;
    });
  }
}
