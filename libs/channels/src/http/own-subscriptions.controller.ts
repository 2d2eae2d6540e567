import type { Actor } from '@annals/kernel/domain';
import { By, Endpoint, Params } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ChangePersonalSettings } from '../application/subscription/change-personal-settings';
import { Unsubscribe } from '../application/subscription/unsubscribe';
import { UpdateSubscriptions } from '../application/subscription/update-subscriptions';
import { PLAIN, UnsubscribeParams, UpdateSubscriptionsParams } from './unsubscribe.params';
import { toInput } from './new-channel.params';
import {
  ChangePersonalSettingParams,
  ChangePersonalSettingsParams,
  toChange,
  toChanges,
} from './personal-settings.params';
import { presentUnsubscribed, presentSubscribed } from './present';
import { unsubscribedShape, subscriptionsUpdateShape } from './shapes';
import { toWanted } from './subscribe.params';

const ASKED = { authorization_errors_fatal: true, send_new_subscription_messages: true };

@Controller()
export class OwnSubscriptionsController {
  constructor(private readonly commands: CommandBus) {}

  /** INTERFACE.md 4.10 */
  @Endpoint('DELETE', 'users/me/subscriptions', {
    audience: 'anyone',
    section: '4.10',
    summary: 'Unsubscribe from channels, oneself or others',
    command: 'Unsubscribe',
    returns: unsubscribedShape,
  })
  async unsubscribe(@By() by: Actor, @Params(UnsubscribeParams) p: UnsubscribeParams) {
    return presentUnsubscribed(await this.commands.execute(new Unsubscribe(by, p.subscriptions, p.principals)));
  }

  /** contract/subscriptions.md section 2.3 */
  @Endpoint('PATCH', 'users/me/subscriptions', {
    audience: 'anyone',
    section: 'subscriptions 2.3',
    summary: 'Subscribe to some channels and unsubscribe from others',
    command: 'UpdateSubscriptions',
    returns: subscriptionsUpdateShape,
  })
  async update(@By() by: Actor, @Params(UpdateSubscriptionsParams) p: UpdateSubscriptionsParams) {
    const add = { wanted: toWanted(p.add), input: toInput(PLAIN) };
    const result = await this.commands.execute(new UpdateSubscriptions(by, add, p.delete));
    return { ...presentSubscribed(result, ASKED), ...presentUnsubscribed(result) };
  }

  /** INTERFACE.md 4.2 */
  @Endpoint('POST', 'users/me/subscriptions/properties', {
    audience: 'anyone',
    section: '4.2',
    summary: 'Set properties of several subscriptions of one’s own',
    command: 'ChangePersonalSettings',
    returns: null,
  })
  async changeAll(@By() by: Actor, @Params(ChangePersonalSettingsParams) p: ChangePersonalSettingsParams) {
    await this.commands.execute(new ChangePersonalSettings(by, toChanges(p)));
  }

  /** INTERFACE.md 4.3 */
  @Endpoint('PATCH', 'users/me/subscriptions/:stream_id', {
    audience: 'anyone',
    section: '4.3',
    summary: 'Set a property of a subscription of one’s own',
    command: 'ChangePersonalSettings',
    returns: null,
  })
  async change(@By() by: Actor, @Params(ChangePersonalSettingParams) p: ChangePersonalSettingParams) {
    await this.commands.execute(new ChangePersonalSettings(by, [toChange(p)]));
  }
}
