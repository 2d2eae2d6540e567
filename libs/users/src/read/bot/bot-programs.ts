import type { RegisterBlock } from '@annals/kernel';
import type { RealmId, UserId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import type { BotProgram } from '../../domain/account/bot-programs';
import { BOT_PROGRAMS } from '../../domain/account/bot-programs';

/** The programs of embedded bots, by bot. Other bots have none. */
export type KnownBotPrograms = ReadonlyMap<UserId, BotProgram>;

/** The programs of those of these bots that the server answers for. */
export async function readBotPrograms(
  client: Pool | ClientBase,
  realmId: RealmId,
  bots: readonly UserId[],
): Promise<KnownBotPrograms> {
  if (bots.length === 0) return new Map();
  const { rows } = await client.query<{ readonly id: UserId; readonly program: BotProgram }>({
    name: 'users-bot-programs',
    text: 'SELECT bot_id AS id, program FROM view.bot_programs WHERE realm_id = $1 AND bot_id = ANY($2::int8[])',
    values: [realmId, bots],
  });
  return new Map(rows.map(({ id, program }) => [id, program]));
}

/** The programs that an embedded bot can have (contract/boot.md section 4.1). None of them is configured. */
export const embeddedBotsRegisterBlock: RegisterBlock = {
  keys: ['realm_embedded_bots'],
  read: () => Promise.resolve({ realm_embedded_bots: BOT_PROGRAMS.map((name) => ({ name, config: {} })) }),
};
