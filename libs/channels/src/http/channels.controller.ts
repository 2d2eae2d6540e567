import type { Actor } from '@annals/kernel/domain';
import { channelId, t } from '@annals/kernel/domain';
import { By, Endpoint, Params } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { CreateChannel } from '../application/create-channel';
import { FindChannelId, ListChannels } from '../read/channel-lists';
import { presentChannel } from '../read/present-channel';
import { CreateChannelParams, toChannelWish } from './create-channel.params';
import { ChannelIdParams, ListChannelsParams, toSources } from './read-channels.params';
import { listedChannelShape } from './shapes';

@Controller()
export class ChannelsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** INTERFACE.md 4.6 */
  @Endpoint('POST', 'channels/create', {
    audience: 'members',
    section: '4.6',
    summary: 'Create a channel',
    command: 'CreateChannel',
    returns: t.Object({ id: channelId }),
  })
  async create(@By() by: Actor, @Params(CreateChannelParams) p: CreateChannelParams) {
    return { id: await this.commands.execute(new CreateChannel(by, toChannelWish(p), p.subscribers)) };
  }

  /** contract/channels.md section 3 */
  @Endpoint('GET', 'streams', {
    audience: 'anyone',
    section: 'channels 3',
    summary: 'List channels',
    returns: t.Object({ streams: t.Array(listedChannelShape) }),
  })
  async list(@By() by: Actor, @Params(ListChannelsParams) p: ListChannelsParams) {
    const options = { excludeArchived: p.exclude_archived, asked: false as const };
    const { channels, figures } = await this.queries.execute(new ListChannels(by, toSources(p), options));
    const isDefault = (channel: { isDefault: boolean }) => p.include_default && { is_default: channel.isDefault };
    return { streams: channels.map((channel) => ({ ...presentChannel(channel, figures), ...isDefault(channel) })) };
  }

  /** contract/channels.md section 4 */
  @Endpoint('GET', 'get_stream_id', {
    audience: 'anyone',
    section: 'channels 4',
    summary: "Find a channel's id by name",
    returns: t.Object({ stream_id: channelId }),
  })
  async find(@By() by: Actor, @Params(ChannelIdParams) { stream }: ChannelIdParams) {
    return { stream_id: await this.queries.execute(new FindChannelId(by, stream)) };
  }
}
