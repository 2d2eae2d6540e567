import type { ChannelId } from '@annals/kernel/domain';

/** The picture of an account. */
export interface Avatar {
  /** What its files are called; null for that of the gravatar service. */
  readonly file: string | null;
  readonly version: number;
}

/** The picture of a new account. */
export const FIRST_AVATAR: Avatar = { file: null, version: 1 };

/** The channels in which a bot sends and listens by default (contract/users.md section 7). */
export interface BotDefaults {
  /** For whoever sends in the bot's name without naming a channel; null for none. */
  readonly sendingChannel: ChannelId | null;
  /** Queues of the bot that are not narrowed hear this channel alone; null for all. */
  readonly eventsChannel: ChannelId | null;
  /** Whether its queues hear all public channels. */
  readonly allPublicChannels: boolean;
}

export const NO_BOT_DEFAULTS: BotDefaults = { sendingChannel: null, eventsChannel: null, allPublicChannels: false };
