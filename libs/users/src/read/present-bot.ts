import type { UserId } from '@annals/kernel/domain';
import { avatarUrl } from './avatar';
import type { UserRow } from './user-row';
import type { Viewer } from './viewer';
import { emailFor } from './viewer';

/** Where a bot sends and listens by default: nowhere in particular (contract/users.md section 7). */
export const BOT_DEFAULTS = {
  default_sending_stream: null,
  default_events_register_stream: null,
  default_all_public_streams: false,
} as const;

/** The bot object of `realm_bots` and `realm_bot`/`add` (contract/realtime.md section 6.3). */
export const presentBot = (userId: UserId) => ({ user_id: userId, ...BOT_DEFAULTS, services: [] });

/** An element of `GET /bots`, which shows no keys: a key is seen once, where it is issued. */
export const presentOwnBot = (bot: UserRow, viewer: Viewer) => ({
  user_id: bot.userId,
  username: bot.deliveryEmail,
  full_name: bot.fullName,
  avatar_url: avatarUrl(bot, viewer),
  ...BOT_DEFAULTS,
});

/** What `PATCH /bots/{bot_id}` answers. */
export const presentChangedBot = (bot: UserRow, owner: UserRow | null, viewer: Viewer) => ({
  full_name: bot.fullName,
  avatar_url: avatarUrl(bot, viewer),
  ...BOT_DEFAULTS,
  ...(owner && { bot_owner: emailFor(owner, viewer) }),
});
