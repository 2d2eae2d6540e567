import { UnitOfWork } from '@annals/kernel';
import type { Actor, ChannelId } from '@annals/kernel/domain';
import { forgetChannel, realmAggregate } from '@annals/realm';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { archiveChannel } from '../../domain/channel/change-channel';
import { channelAggregate } from '../../domain/channel/channel';
import { DEFAULT_GROUPS, defaultGroupsAggregate, leaveDefaultGroups } from '../../domain/default-groups/default-groups';
import { reject } from '../../domain/rejections';
import { Administration } from './administration';
import { ChannelNotices } from './channel-notices';

/**
 * Archives a channel. Settings of the organization with this channel are set to none (contract/channels.md section 6), and it
 * leaves its groups of default channels.
 */
export class ArchiveChannel extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly channelId: ChannelId,
  ) {
    super();
  }
}

@CommandHandler(ArchiveChannel)
export class ArchiveChannelHandler implements ICommandHandler<ArchiveChannel> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly administration: Administration,
    private readonly notices: ChannelNotices,
  ) {}

  async execute({ by, channelId }: ArchiveChannel): Promise<void> {
    await this.work.run(by, async (work) => {
      const { isSubscribed } = await this.administration.channel(work, channelId);
      // The notice is sent first: clients without support for archived channels do not know the channel afterwards.
      await this.notices.changed(work, channelId, { kind: 'archived' });
      await work.decide(realmAggregate, 'realm', (realm) => forgetChannel(realm, channelId));
      await work.decide(defaultGroupsAggregate, DEFAULT_GROUPS, (groups) => leaveDefaultGroups(groups, channelId));
      await work.decide(channelAggregate, channelId, (state) => {
        if (!state) throw reject.unknownChannel();
        return archiveChannel(state, work.actor, isSubscribed);
      });
    });
  }
}
