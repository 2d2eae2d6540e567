import type { Actor, ChannelId, UserId } from '@annals/kernel/domain';
import { channelId, t, userId } from '@annals/kernel/domain';
import { By, Endpoint, Params, PathId } from '@annals/web';
import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { IsSubscribed, ListSubscribedChannels, ListSubscribers } from '../read/subscription/subscriber-queries';

class OfChannelParams {
  @PathId() stream_id: ChannelId;
}
class OfPersonParams {
  @PathId() user_id: UserId;
}
class OfPersonInChannelParams {
  @PathId() user_id: UserId;
  @PathId() stream_id: ChannelId;
}

@Controller()
export class SubscribersController {
  constructor(private readonly queries: QueryBus) {}

  /** contract/channels.md section 4 */
  @Endpoint('GET', 'streams/:stream_id/members', {
    audience: 'anyone',
    section: 'channels 4',
    summary: 'List the subscribers of a channel',
    returns: t.Object({ subscribers: t.Array(userId) }),
  })
  async ofChannel(@By() by: Actor, @Params(OfChannelParams) p: OfChannelParams) {
    return { subscribers: await this.queries.execute(new ListSubscribers(by, p.stream_id)) };
  }

  /** contract/subscriptions.md section 5 */
  @Endpoint('GET', 'users/:user_id/subscriptions/:stream_id', {
    audience: 'anyone',
    section: 'subscriptions 5',
    summary: 'Tell whether somebody is subscribed to a channel',
    returns: t.Object({ is_subscribed: t.Boolean() }),
  })
  async ofPersonInChannel(@By() by: Actor, @Params(OfPersonInChannelParams) p: OfPersonInChannelParams) {
    return { is_subscribed: await this.queries.execute(new IsSubscribed(by, p.user_id, p.stream_id)) };
  }

  /** contract/subscriptions.md section 5 */
  @Endpoint('GET', 'users/:user_id/channels', {
    audience: 'anyone',
    section: 'subscriptions 5',
    summary: 'List the channels that somebody is subscribed to',
    returns: t.Object({ subscribed_channel_ids: t.Array(channelId) }),
  })
  async ofPerson(@By() by: Actor, @Params(OfPersonParams) p: OfPersonParams) {
    return { subscribed_channel_ids: await this.queries.execute(new ListSubscribedChannels(by, p.user_id)) };
  }
}
