import type { ChannelId } from '@annals/kernel/domain';

/** The picture of an account. */
export interface Avatar {
  /** The name of its files. Null for the picture of the Gravatar service. */
  readonly file: string | null;
  readonly version: number;
}

/** The picture of a new account. */
export const FIRST_AVATAR: Avatar = { file: null, version: 1 };

/** The channels in which a bot sends and listens by default (contract/users.md section 7). */
export interface BotDefaults {
  /** For programs that send in the bot's name without naming a channel. Null for none. */
  readonly sendingChannel: ChannelId | null;
  /** Queues of the bot without a narrow receive this channel alone. Null for all. */
  readonly eventsChannel: ChannelId | null;
  /** Whether its queues receive all public channels. */
  readonly allPublicChannels: boolean;
}

export const NO_BOT_DEFAULTS: BotDefaults = { sendingChannel: null, eventsChannel: null, allPublicChannels: false };
