import { Kernel } from '@annals/kernel';
import type { RegisterBlock } from '@annals/kernel';
import type { Actor, RealmId, UserId } from '@annals/kernel/domain';
import { RealmFacts, readRealm } from '@annals/realm';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { ClientBase, Pool } from 'pg';
import type { Shown } from './present-scheduled';
import { presentAll, presentReminder, presentScheduledMessage } from './present-scheduled';
import { readPlanned, readScheduled } from './scheduled-row';

export interface OwnScheduled {
  readonly shown: readonly Shown[];
  readonly imagePreviews: boolean;
}

/** The actor's messages, or reminders, that wait or have failed (contract/scheduling.md sections 2 and 8). */
export class ListScheduled extends Query<OwnScheduled> {
  constructor(
    readonly by: Actor,
    readonly reminders: boolean,
  ) {
    super();
  }
}

@QueryHandler(ListScheduled)
export class ListScheduledHandler implements IQueryHandler<ListScheduled> {
  constructor(
    private readonly kernel: Kernel,
    private readonly realms: RealmFacts,
  ) {}

  async execute({ by: { realmId, userId }, reminders }: ListScheduled): Promise<OwnScheduled> {
    const { settings } = await this.realms.of(realmId);
    const shown = await readShown(this.kernel.database.pool, realmId, userId, reminders);
    return { shown, imagePreviews: settings.inline_image_preview };
  }
}

/** contract/boot.md section 4.1 */
export const schedulingRegisterBlocks: readonly RegisterBlock[] = [
  {
    keys: ['scheduled_messages'],
    read: async ({ client, realmId }, { userId }) => {
      const look = { realmId, imagePreviews: await showsPreviews(client, realmId) };
      const shown = await readShown(client, realmId, userId, false);
      const present = (one: Shown) => presentScheduledMessage(one, look);
      return { scheduled_messages: await presentAll(shown, `${realmId}:${userId}`, present) };
    },
  },
  {
    keys: ['reminders'],
    read: async ({ client, realmId }, { userId }) => {
      const look = { realmId, imagePreviews: await showsPreviews(client, realmId) };
      const shown = await readShown(client, realmId, userId, true);
      const present = (one: Shown) => presentReminder(one, look);
      return { reminders: await presentAll(shown, `${realmId}:${userId}`, present) };
    },
  },
];

/** Whether the organization shows image previews. */
export async function showsPreviews(client: ClientBase, realmId: RealmId): Promise<boolean> {
  return (await readRealm(client, realmId))?.settings.inline_image_preview ?? false;
}

async function readShown(client: Pool | ClientBase, realmId: RealmId, userId: UserId, reminders: boolean) {
  const rows = await readScheduled(client, realmId, userId, reminders);
  const planned = await readPlanned(
    client,
    realmId,
    rows.map(({ wordsAt }) => wordsAt),
  );
  return rows.flatMap(({ id, failed, wordsAt }): Shown[] => {
    const found = planned.get(wordsAt);
    return found ? [{ id, failed, planned: found }] : [];
  });
}
