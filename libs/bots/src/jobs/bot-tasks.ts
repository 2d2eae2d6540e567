import type { CheckpointedReader, Kernel } from '@annals/kernel';
import { OutboxWakeUps } from '@annals/kernel';
import type { Recorded } from '@annals/kernel/domain';
import { DAY_MS } from '@annals/kernel/domain';
import type { MessageSent } from '@annals/messages/events';
import type { AccountCreated, FirstLoggedIn } from '@annals/users/events';
import type { PossibleQuery } from './possible-queries';
import { addQueries, addWelcomes } from './task-rows';
import { addDeliveries } from './webhook/delivery-rows';
import { addressedByGroup, mentionsGroups } from './webhook/group-addressees';

/** The job queue that wakes the runner of tasks. */
export const BOTS_QUEUE = 'bots';

/** The job queue that wakes the worker that sends messages to the programs behind bots. */
export const WEBHOOKS_QUEUE = 'outgoing-webhooks';

/**
 * Age in ms at which an event causes no task any more. A server that is upgraded reads its log from the beginning, and
 * writes neither to users who joined long ago nor about messages of the past.
 */
export const MAX_AGE_MS = 3 * DAY_MS;

/** What the bots of a server do. */
export class BotOptions {
  /** @param welcomes whether the welcome bot writes to newcomers */
  constructor(readonly welcomes: boolean) {}
}

/**
 * Reads the log and adds the tasks of bots. They commit with the checkpoint. The job only wakes the runner, which also reads
 * them every second.
 */
export function botTasks(kernel: Kernel, { welcomes }: BotOptions): CheckpointedReader {
  const wakeUps = new OutboxWakeUps(kernel, BOTS_QUEUE);
  const webhooks = new OutboxWakeUps(kernel, WEBHOOKS_QUEUE);
  return {
    name: 'bot-tasks',
    begins: 'beginning',
    concerns: (event) =>
      addresseesOf(event).length > 0 || mentionsGroups(event) || (welcomes && newcomerOf(event) !== null),
    handle: async (page, client) => {
      const since = kernel.clock.now() - MAX_AGE_MS;
      const recent = page.filter(({ at }) => at >= since);
      const [first] = recent;
      if (!first) return;
      const { realmId } = first;
      const queries = recent.flatMap(addresseesOf);
      const added = await addQueries(client, realmId, queries);
      const byGroup = await addressedByGroup(client, realmId, recent);
      if ((await addDeliveries(client, realmId, [...queries, ...byGroup])) > 0) webhooks.note(realmId);
      const newcomers = welcomes ? recent.flatMap((event) => newcomerOf(event) ?? []) : [];
      if (added + (await addWelcomes(client, realmId, newcomers)) > 0) wakeUps.note(realmId);
    },
    committed: (realmId, position) => {
      wakeUps.committed(realmId, position);
      webhooks.committed(realmId, position);
    },
  };
}

/**
 * The accounts that a message addresses: those that it mentions by name in a channel, and the others of a conversation. A bot
 * of the server among them must answer.
 */
export function addresseesOf(event: Recorded): PossibleQuery[] {
  if (event.type !== 'messages.MessageSent') return [];
  const { position, at, data } = event as Recorded<MessageSent>;
  const { senderId, place, mentions } = data;
  const accounts = 'userIds' in place ? place.userIds : mentions.userIds;
  return accounts.filter((one) => one !== senderId).map((accountId) => ({ position, at, senderId, accountId }));
}

/**
 * A person who joins: by the creation of the account, or by the first login where the account was imported from another
 * server.
 */
export function newcomerOf(event: Recorded): Pick<PossibleQuery, 'position' | 'accountId' | 'at'> | null {
  const { position, at } = event;
  if (event.type === 'users.AccountCreated') {
    const { userId, botType, isImported } = (event as Recorded<AccountCreated>).data;
    return botType !== null || isImported ? null : { position, at, accountId: userId };
  }
  if (event.type !== 'users.FirstLoggedIn') return null;
  const { userId, wasImported } = (event as Recorded<FirstLoggedIn>).data;
  return wasImported ? { position, at, accountId: userId } : null;
}
