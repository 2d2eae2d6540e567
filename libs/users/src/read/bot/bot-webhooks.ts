import type { RealmId, UserId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import type { BotWebhook } from '../../domain/account/bot-webhook';

/** The webhook of a bot, with the token that its requests have. */
export interface KnownBotWebhook extends BotWebhook {
  /** Empty in a past, which has no secrets. */
  readonly token: string;
}

const SECRET = 'bot-token-';
/** Name of the secret that holds the token of a bot. It is written with the bot, and never changes. */
export const botTokenSecret = (botId: UserId): string => `${SECRET}${botId}`;

/** The webhooks of those of these bots that have one. */
export async function readBotWebhooks(
  client: Pool | ClientBase,
  realmId: RealmId,
  bots: readonly UserId[],
): Promise<ReadonlyMap<UserId, KnownBotWebhook>> {
  if (bots.length === 0) return new Map();
  const { rows } = await client.query<KnownBotWebhook & { readonly id: UserId }>({
    name: 'users-bot-webhooks',
    text: `SELECT w.bot_id AS id, w.url, w.format, coalesce(convert_from(s.value, 'UTF8'), '') AS token
      FROM view.bot_webhooks AS w
      LEFT JOIN secrets AS s ON s.realm_id = w.realm_id AND s.id = '${SECRET}' || w.bot_id
      WHERE w.realm_id = $1 AND w.bot_id = ANY($2::int8[])`,
    values: [realmId, bots],
  });
  return new Map(rows.map(({ id, ...webhook }) => [id, webhook]));
}
