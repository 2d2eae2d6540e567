import type { Actor, ChannelId } from '@annals/kernel/domain';
import { By, Endpoint, IntegerParam, Params } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { SetDefaultChannel } from '../application/channel/set-default-channel';

class DefaultChannelParams {
  @IntegerParam() stream_id: ChannelId;
}

@Controller()
export class DefaultChannelsController {
  constructor(private readonly commands: CommandBus) {}

  /** contract/channels.md section 8 */
  @Endpoint('POST', 'default_streams', {
    audience: 'administrators',
    section: 'channels 8',
    summary: 'Give a channel to all new accounts',
    command: 'SetDefaultChannel',
    returns: null,
  })
  async add(@By() by: Actor, @Params(DefaultChannelParams) p: DefaultChannelParams): Promise<void> {
    await this.commands.execute(new SetDefaultChannel(by, p.stream_id, true));
  }

  /** contract/channels.md section 8 */
  @Endpoint('DELETE', 'default_streams', {
    audience: 'administrators',
    section: 'channels 8',
    summary: 'No longer give a channel to new accounts',
    command: 'SetDefaultChannel',
    returns: null,
  })
  async remove(@By() by: Actor, @Params(DefaultChannelParams) p: DefaultChannelParams): Promise<void> {
    await this.commands.execute(new SetDefaultChannel(by, p.stream_id, false));
  }
}
