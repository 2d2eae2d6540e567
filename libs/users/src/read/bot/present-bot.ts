import type { ChannelId } from '@annals/kernel/domain';
import type { BotDefaults } from '../../domain/account/account-parts';
import { numberOfFormat } from '../../domain/account/webhook-formats';
import { avatarUrl } from '../profile/avatar';
import type { UserRow } from '../account/user-row';
import type { Viewer } from '../account/viewer';
import { emailFor } from '../account/viewer';
import type { BotService } from './bot-services';
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

/**
 * The service behind a bot. Bots of types 3 and 4 have one (contract/whole-interface.md section 5). The token of a webhook is
 * shown to those who may administer the bot.
 */
export function presentServices(service: BotService | undefined) {
  if (!service) return [];
  if ('program' in service) return [{ service_name: service.program, config_data: {} }];
  const { url, format, token } = service.webhook;
  return [{ base_url: url, interface: numberOfFormat(format), token }];
}

/** The bot object of `realm_bots` and `realm_bot`/`add` (contract/realtime.md section 6.3). */
export const presentBot = (bot: UserRow, names: ChannelNames, service: BotService | undefined) => ({
  user_id: bot.userId,
  ...presentDefaults(bot, names),
  services: presentServices(service),
});

/** An element of `GET /bots`. It has no keys: a key is shown once, when it is issued. */
export const presentOwnBot = (bot: OwnBot, names: ChannelNames, viewer: Viewer) => ({
  user_id: bot.userId,
  username: bot.deliveryEmail,
  full_name: bot.fullName,
  avatar_url: avatarUrl(bot, viewer),
  ...presentDefaults(bot, names),
  services: presentServices(bot.service),
});

/** The answer of `PATCH /bots/{bot_id}`. */
export const presentChangedBot = (bot: UserRow, owner: UserRow | null, names: ChannelNames, viewer: Viewer) => ({
  full_name: bot.fullName,
  avatar_url: avatarUrl(bot, viewer),
  ...presentDefaults(bot, names),
  ...(owner && { bot_owner: emailFor(owner, viewer) }),
});
