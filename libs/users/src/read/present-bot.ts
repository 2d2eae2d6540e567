import type { UserId } from '@annals/kernel/domain';

/** Where a bot sends and listens by default: nowhere in particular (contract/users.md section 7). */
export const BOT_DEFAULTS = {
  default_sending_stream: null,
  default_events_register_stream: null,
  default_all_public_streams: false,
} as const;

/** The bot object of `realm_bots` and `realm_bot`/`add` (contract/realtime.md section 6.3). */
export const presentBot = (userId: UserId) => ({ user_id: userId, ...BOT_DEFAULTS, services: [] });
