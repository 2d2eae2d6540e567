import type { RealmId, UserId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import type { BotProgram } from '../../domain/account/bot-programs';
import { readBotPrograms } from './bot-programs';
import type { KnownBotWebhook } from './bot-webhooks';
import { readBotWebhooks } from './bot-webhooks';

/** What answers for a bot: a program of the server, or one behind a URL. */
export type BotService = { readonly program: BotProgram } | { readonly webhook: KnownBotWebhook };

/** The services of bots of types 3 and 4. Other bots have none. */
export type KnownBotServices = ReadonlyMap<UserId, BotService>;

/** The services of those of these bots that have one. */
export async function readBotServices(
  client: Pool | ClientBase,
  realmId: RealmId,
  bots: readonly UserId[],
): Promise<KnownBotServices> {
  const programs = await readBotPrograms(client, realmId, bots);
  const webhooks = await readBotWebhooks(client, realmId, bots);
  const services = new Map<UserId, BotService>();
  for (const [id, program] of programs) services.set(id, { program });
  for (const [id, webhook] of webhooks) services.set(id, { webhook });
  return services;
}
