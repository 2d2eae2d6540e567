import type { Actor } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import { By, Endpoint, Params } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Subscribe } from '../application/subscription/subscribe';
import { ListChannels } from '../read/channel/channel-lists';
import { presentChannels, presentSubscription } from '../read/channel/present-channel';
import { toInput } from './new-channel.params';
import { presentSubscribed } from './present';
import { ListSubscriptionsParams } from './read-channels.params';
import { subscribedShape, subscriptionShape } from './shapes';
import { SubscribeParams, toNotices, toWanted } from './subscribe.params';

@Controller()
export class SubscriptionsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** INTERFACE.md 4.22 */
  @Endpoint('GET', 'users/me/subscriptions', {
    audience: 'anyone',
    section: '4.22',
    summary: 'List the channels one is subscribed to',
    returns: t.Object({ subscriptions: t.Array(subscriptionShape) }),
  })
  async list(@By() by: Actor, @Params(ListSubscriptionsParams) p: ListSubscriptionsParams) {
    const options = { excludeArchived: true, asked: p.include_subscribers };
    const { channels, figures } = await this.queries.execute(new ListChannels(by, ['subscribed'], options));
    const present = (channel: (typeof channels)[number]) => presentSubscription(channel, figures);
    return { subscriptions: await presentChannels(by, channels, present) };
  }

  /** contract/subscriptions.md section 2 */
  @Endpoint('POST', 'users/me/subscriptions', {
    audience: 'members',
    section: 'subscriptions 2',
    summary: 'Subscribe to channels, creating those that do not exist',
    command: 'Subscribe',
    returns: subscribedShape,
  })
  async subscribe(@By() by: Actor, @Params(SubscribeParams) p: SubscribeParams) {
    const { principals, authorization_errors_fatal: fatal } = p;
    const result = await this.commands.execute(
      new Subscribe(by, toWanted(p.subscriptions), principals, toInput(p), fatal, toNotices(p)),
    );
    return presentSubscribed(result, p);
  }
}
