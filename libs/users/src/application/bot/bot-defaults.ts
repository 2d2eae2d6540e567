import type { Work } from '@annals/kernel';
import type { ChannelId } from '@annals/kernel/domain';
import type { BotDefaults } from '../../domain/account/account-parts';
import type { BotChannels } from '../../read/bot/bot-channels.port';

/** New default channels of a bot, by name. A property that is left out keeps its value. */
export interface NamedDefaults {
  /** Empty for none. */
  readonly sendingChannel?: string | undefined;
  /** Empty for all. */
  readonly eventsChannel?: string | undefined;
  readonly allPublicChannels?: boolean | undefined;
}

/** `work` depends on the channels. @throws Rejected BAD_REQUEST for a channel that does not exist for the actor */
export async function foundDefaults(
  channels: BotChannels,
  work: Work,
  { sendingChannel, eventsChannel, allPublicChannels }: NamedDefaults,
): Promise<Partial<BotDefaults>> {
  const find = async (name: string): Promise<ChannelId | null> => (name === '' ? null : channels.named(work, name));
  return {
    ...(sendingChannel !== undefined && { sendingChannel: await find(sendingChannel) }),
    ...(eventsChannel !== undefined && { eventsChannel: await find(eventsChannel) }),
    ...(allPublicChannels !== undefined && { allPublicChannels }),
  };
}
