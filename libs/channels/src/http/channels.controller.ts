import type { Actor } from '@annals/kernel/domain';
import { channelId, t } from '@annals/kernel/domain';
import { PastRequests } from '@annals/users/http';
import { By, Endpoint, Params, asOfShape, presentAsOf } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ArchiveChannel } from '../application/channel/archive-channel';
import { ChangeChannel } from '../application/channel/change-channel';
import { CreateChannel } from '../application/channel/create-channel';
import { FindChannelEmail } from '../read/channel/channel-email';
import { FindChannelId, ListChannels, ShowChannel } from '../read/channel/channel-lists';
import { presentChannel, presentChannels } from '../read/channel/present-channel';
import { ChangeChannelParams, ChannelEmailParams, ChannelParams, toChannelChange } from './change-channel.params';
import { CreateChannelParams, toChannelInput } from './create-channel.params';
import {
  ChannelIdParams,
  ListChannelsParams,
  ShowChannelParams,
  recordedList,
  toSources,
} from './read-channels.params';
import { channelShape, listedChannelShape } from './shapes';

@Controller()
export class ChannelsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly past: PastRequests,
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
    return { id: await this.commands.execute(new CreateChannel(by, toChannelInput(p), p.subscribers, p.announce)) };
  }

  /** contract/channels.md section 3 */
  @Endpoint('GET', 'streams', {
    audience: 'anyone',
    section: 'channels 3',
    summary: 'List channels',
    returns: t.Object({ streams: t.Array(listedChannelShape), ...asOfShape }),
  })
  async list(@By() by: Actor, @Params(ListChannelsParams) p: ListChannelsParams) {
    const asOf = await this.past.of(by, p);
    const options = { excludeArchived: p.exclude_archived, asked: false as const };
    const query = new ListChannels(by, toSources(p), options, asOf);
    const { channels, figures } = await this.queries.execute(query);
    const present = (channel: (typeof channels)[number]) => ({
      ...presentChannel(channel, figures),
      ...(p.include_default && { is_default: channel.isDefault }),
    });
    await this.past.answered(by, asOf, p, recordedList(p, channels.length));
    return { streams: await presentChannels(by, channels, present), ...presentAsOf(asOf) };
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

  /** contract/channels.md section 4 */
  @Endpoint('GET', 'streams/:stream_id', {
    audience: 'anyone',
    section: 'channels 4',
    summary: 'Show a channel',
    returns: t.Object({ stream: channelShape, ...asOfShape }),
  })
  async show(@By() by: Actor, @Params(ShowChannelParams) p: ShowChannelParams) {
    const asOf = await this.past.of(by, p);
    const { channels, figures } = await this.queries.execute(new ShowChannel(by, p.stream_id, asOf));
    const parameters = { stream_id: p.stream_id };
    await this.past.answered(by, asOf, p, { endpoint: 'GET /streams/{stream_id}', parameters, results: 1 });
    return { stream: channels.map((channel) => presentChannel(channel, figures))[0], ...presentAsOf(asOf) };
  }

  /** contract/channels.md section 5 */
  @Endpoint('PATCH', 'streams/:stream_id', {
    audience: 'anyone',
    section: 'channels 5',
    summary: 'Change what a channel is and who may do what in it',
    command: 'ChangeChannel',
    returns: null,
  })
  async change(@By() by: Actor, @Params(ChangeChannelParams) p: ChangeChannelParams): Promise<void> {
    await this.commands.execute(new ChangeChannel(by, p.stream_id, toChannelChange(p)));
  }

  /** contract/channels.md section 6 */
  @Endpoint('DELETE', 'streams/:stream_id', {
    audience: 'anyone',
    section: 'channels 6',
    summary: 'Archive a channel',
    command: 'ArchiveChannel',
    returns: null,
  })
  async archive(@By() by: Actor, @Params(ChannelParams) { stream_id }: ChannelParams): Promise<void> {
    await this.commands.execute(new ArchiveChannel(by, stream_id));
  }

  /** Mail to this address becomes a message in the channel. */
  @Endpoint('GET', 'streams/:stream_id/email_address', {
    audience: 'anyone',
    section: 'channels',
    summary: 'Find the address that mail to a channel goes to; empty if the server receives no mail',
    returns: t.Object({ email: t.String() }),
  })
  async email(@By() by: Actor, @Params(ChannelEmailParams) { stream_id, sender_id }: ChannelEmailParams) {
    return { email: await this.queries.execute(new FindChannelEmail(by, stream_id, sender_id ?? null)) };
  }
}
