import { UnitOfWork } from '@annals/kernel';
import type { Actor, ChannelId } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { setDefault } from '../../domain/channel/change-channel';
import { channelAggregate } from '../../domain/channel/channel';
import { reject } from '../../domain/rejections';

/** Makes a channel a default channel of new accounts, or ends that (contract/channels.md section 8). */
export class SetDefaultChannel extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly channelId: ChannelId,
    readonly isDefault: boolean,
  ) {
    super();
  }
}

@CommandHandler(SetDefaultChannel)
export class SetDefaultChannelHandler implements ICommandHandler<SetDefaultChannel> {
  constructor(private readonly work: UnitOfWork) {}

  async execute({ by, channelId, isDefault }: SetDefaultChannel): Promise<void> {
    await this.work.run(by, async (work) => {
      await work.decide(channelAggregate, channelId, (channel) => {
        if (!channel) throw reject.unknownChannel();
        return setDefault(channel, isDefault);
      });
    });
  }
}
