import type { ChannelId } from '@annals/kernel/domain';
import type { BotDefaults } from '../../domain/account/account-parts';
import type { BotProgram } from '../../domain/account/bot-programs';
import { avatarUrl } from '../profile/avatar';
import type { UserRow } from '../account/user-row';
import type { Viewer } from '../account/viewer';
import { emailFor } from '../account/viewer';
import type { OwnBot } from './get-own-bots';

/** The channels of a bot by id. Their names are read when they are shown. */
export type ChannelNames = ReadonlyMap<ChannelId, string>;

/** The fields of a bot that refer to channels. */
export const channelsOf = (bots: readonly BotDefaults[]): ChannelId[] => [
  ...new Set(bots.flatMap(({ sendingChannel, eventsChannel }) => [sendingChannel ?? [], eventsChannel ?? []].flat())),
];

/** The default channels of a bot (contract/users.md section 7). */
export const presentDefaults = (bot: BotDefaults, names: ChannelNames) => {
  const nameOf = (id: ChannelId | null): string | null => (id === null ? null : (names.get(id) ?? null));
  return {
    default_sending_stream: nameOf(bot.sendingChannel),
    default_events_register_stream: nameOf(bot.eventsChannel),
    default_all_public_streams: bot.allPublicChannels,
  };
};

/** The service behind a bot: only embedded bots have one (contract/whole-interface.md section 5). */
const presentServices = (program: BotProgram | undefined) =>
  program === undefined ? [] : [{ service_name: program, config_data: {} }];

/** The bot object of `realm_bots` and `realm_bot`/`add` (contract/realtime.md section 6.3). */
export const presentBot = (bot: UserRow, names: ChannelNames, program: BotProgram | undefined) => ({
  user_id: bot.userId,
  ...presentDefaults(bot, names),
  services: presentServices(program),
});

/** An element of `GET /bots`. It has no keys: a key is shown once, when it is issued. */
export const presentOwnBot = (bot: OwnBot, names: ChannelNames, viewer: Viewer) => ({
  user_id: bot.userId,
  username: bot.deliveryEmail,
  full_name: bot.fullName,
  avatar_url: avatarUrl(bot, viewer),
  ...presentDefaults(bot, names),
  services: presentServices(bot.program),
});

/** The answer of `PATCH /bots/{bot_id}`. */
export const presentChangedBot = (bot: UserRow, owner: UserRow | null, names: ChannelNames, viewer: Viewer) => ({
  full_name: bot.fullName,
  avatar_url: avatarUrl(bot, viewer),
  ...presentDefaults(bot, names),
  ...(owner && { bot_owner: emailFor(owner, viewer) }),
});
