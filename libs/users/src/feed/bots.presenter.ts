import type { PositionedClientEvent, Presenter } from '@annals/kernel';
import { definePresenter } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';
import type { ReadChannelNames } from '../read/bot/bot-channels.port';
import type { KnownBotServices } from '../read/bot/bot-services';
import { readBotServices } from '../read/bot/bot-services';
import type { ChannelNames } from '../read/bot/present-bot';
import { channelsOf, presentBot, presentDefaults, presentServices } from '../read/bot/present-bot';
import type { UserRow } from '../read/account/user-row';
import { readUsers } from '../read/account/user-row';
import type { BotPayload } from './payloads';

interface Loaded {
  readonly bots: ReadonlyMap<UserId, UserRow>;
  readonly names: ChannelNames;
  readonly services: KnownBotServices;
}

const payloadOf = ({ payload }: PositionedClientEvent) => payload as unknown as BotPayload;

/**
 * contract/realtime.md section 6.3, `realm_bot`: the default channels and the service of a bot as they are now. A context that knows
 * channels declares it.
 */
export const botsPresenter = (readNames: ReadChannelNames): Presenter =>
  definePresenter<Loaded>({
    type: 'realm_bot',
    load: async ({ client, realmId }, events) => {
      const shown = events.map(payloadOf).filter(({ op }) => op !== 'delete');
      const ids = [...new Set(shown.map(({ userId }) => userId))];
      const bots = await readUsers(client, realmId, ids);
      const services = await readBotServices(client, realmId, ids);
      const names = await readNames(client, realmId, channelsOf(bots));
      return { bots: new Map(bots.map((bot) => [bot.userId, bot])), names, services };
    },
    present: (event, loaded) => {
      const payload = payloadOf(event);
      return [{ type: 'realm_bot', op: payload.op, bot: shown(payload, loaded) }];
    },
    variant: () => 'all',
  });

function shown(payload: BotPayload, { bots, names, services }: Loaded) {
  const { userId } = payload;
  const bot = bots.get(userId);
  switch (payload.op) {
    case 'delete':
      return { user_id: userId };
    case 'add':
      return presentBot(known(bot), names, services.get(userId));
    case 'update':
      if (payload.property === 'services') return { user_id: userId, services: presentServices(services.get(userId)) };
      return { user_id: userId, [payload.property]: presentDefaults(known(bot), names)[payload.property] };
  }
}

function known(bot: UserRow | undefined): UserRow {
  if (!bot) throw new Error('an event is about a bot that does not exist');
  return bot;
}
