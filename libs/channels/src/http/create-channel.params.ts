import type { UserId } from '@annals/kernel/domain';
import { BooleanParam, IntegersParam, TextParam } from '@annals/web';
import type { ChannelInput } from '../domain/channel/channel-input';
import { MAX_DESCRIPTION_LENGTH, MAX_CHANNEL_NAME_LENGTH, NewChannelParams, toInput } from './new-channel.params';

/** INTERFACE.md 4.6 */
export class CreateChannelParams extends NewChannelParams {
  @TextParam({ trim: true, min: 1, max: MAX_CHANNEL_NAME_LENGTH, printable: true }) name: string;
  @IntegersParam() subscribers: readonly UserId[];
  @TextParam({ max: MAX_DESCRIPTION_LENGTH }) description = '';
  @BooleanParam({ about: 'About channels that were there before; so nobody is written to about a new one.' })
  send_new_subscription_messages = true;
}

export const toChannelInput = (p: CreateChannelParams): ChannelInput => ({
  ...toInput(p),
  name: p.name,
  description: p.description,
});
