import type { Actor, ChannelId, UserId } from '@annals/kernel/domain';
import { channelId, t, userId } from '@annals/kernel/domain';
import { PastRequests } from '@annals/users/http';
import { AsOfParams, By, Endpoint, Params, PathId, asOfShape, presentAsOf } from '@annals/web';
import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { IsSubscribed, ListSubscribedChannels, ListSubscribers } from '../read/subscription/subscriber-queries';

class OfChannelParams extends AsOfParams {
  @PathId() stream_id: ChannelId;
}
class OfPersonParams extends AsOfParams {
  @PathId() user_id: UserId;
}
class OfPersonInChannelParams {
  @PathId() user_id: UserId;
  @PathId() stream_id: ChannelId;
}

@Controller()
export class SubscribersController {
  constructor(
    private readonly queries: QueryBus,
    private readonly past: PastRequests,
  ) {}

  /** contract/channels.md section 4 */
  @Endpoint('GET', 'streams/:stream_id/members', {
    audience: 'anyone',
    section: 'channels 4',
    summary: 'List the subscribers of a channel',
    returns: t.Object({ subscribers: t.Array(userId), ...asOfShape }),
  })
  async ofChannel(@By() by: Actor, @Params(OfChannelParams) p: OfChannelParams) {
    const asOf = await this.past.of(by, p);
    const subscribers = await this.queries.execute(new ListSubscribers(by, p.stream_id, asOf));
    const reading = { endpoint: 'GET /streams/{stream_id}/members', parameters: { stream_id: p.stream_id } };
    await this.past.answered(by, asOf, p, { ...reading, results: subscribers.length });
    return { subscribers, ...presentAsOf(asOf) };
  }

  /** contract/subscriptions.md section 5 */
  @Endpoint('GET', 'users/:user_id/subscriptions/:stream_id', {
    audience: 'anyone',
    section: 'subscriptions 5',
    summary: 'Check whether a user is subscribed to a channel',
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
    returns: t.Object({ subscribed_channel_ids: t.Array(channelId), ...asOfShape }),
  })
  async ofPerson(@By() by: Actor, @Params(OfPersonParams) p: OfPersonParams) {
    const asOf = await this.past.of(by, p);
    const channels = await this.queries.execute(new ListSubscribedChannels(by, p.user_id, asOf));
    const reading = { endpoint: 'GET /users/{user_id}/channels', parameters: { user_id: p.user_id } };
    await this.past.answered(by, asOf, p, { ...reading, results: channels.length });
    return { subscribed_channel_ids: channels, ...presentAsOf(asOf) };
  }
}
